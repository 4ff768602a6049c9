// Style and script of report.html.
#pragma once

namespace pequod::app::plot {

/// Colours by theme. The lines' are those of app/colours.h on white and lighter ones of the same
/// hues on black; on paper always the first.
inline constexpr const char* kReportStyle = R"(
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1e22; --grid: #dcdfe4; --axis: #6b7078; --mark: #a11; --link: #0a5fa5;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9;
  --c6: #000;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #16181b; --ink: #e9ecf0; --grid: #343940; --axis: #9aa1ab; --mark: #ff8a80;
    --link: #6db7f2;
    --c0: #4aa8e8; --c1: #f0803c; --c2: #2fc59a; --c3: #e39ac4; --c4: #f0b840; --c5: #a5dcf7;
    --c6: #fff;
  }
}
body {
  margin: 0 auto; max-width: 960px; padding: 12px; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif;
}
h1 { font-size: 22px; margin: 8px 0; }
h2 { font-size: 17px; margin: 24px 0 6px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td {
  text-align: left; padding: 2px 14px 2px 0; vertical-align: top; overflow-wrap: anywhere;
  border-bottom: 1px solid var(--grid);
}
th { font-weight: 600; }
.bad { color: var(--mark); font-weight: 600; }
figure { margin: 20px 0; break-inside: avoid; }
figcaption { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; }
.scroll { overflow-x: auto; }
.scroll th { overflow-wrap: normal; vertical-align: bottom; }
.scroll td { overflow-wrap: normal; white-space: nowrap; }
.scroll td:last-child { white-space: normal; min-width: 16em; }
svg { display: block; width: 100%; min-width: 620px; height: auto; }
button {
  font: inherit; color: inherit; background: none; border: 1px solid var(--axis);
  border-radius: 4px; padding: 2px 10px; cursor: pointer;
}
button:focus-visible, pre:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px;
}
pre {
  max-height: 320px; overflow: auto; border: 1px solid var(--grid); padding: 8px; font-size: 12px;
}
.paper { fill: var(--paper); } .t { fill: var(--ink); }
.g { stroke: var(--grid); } .a { stroke: var(--axis); } .m { stroke: var(--mark); }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
.c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .c5 { stroke: var(--c5); }
.c6 { stroke: var(--c6); }
.f0 { fill: var(--c0); } .f1 { fill: var(--c1); } .f2 { fill: var(--c2); }
.f3 { fill: var(--c3); } .f4 { fill: var(--c4); } .f5 { fill: var(--c5); } .f6 { fill: var(--c6); }
@media print {
  button, pre { display: none; }
  body { max-width: none; padding: 0; }
  svg { min-width: 0; }
  .scroll table { font-size: 9px; }
  .scroll td, .scroll th { padding-right: 5px; }
}
)";

/// Buttons: the data of a figure, and the figure as a file. A file has the colours of the page as
/// it is seen, put into each element, because it leaves the page's style behind.
inline constexpr const char* kReportScript = R"(
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function drawn(figure) {
  const seen = figure.querySelector("svg");
  const copy = seen.cloneNode(true);
  const copies = copy.querySelectorAll("*");
  seen.querySelectorAll("*").forEach((element, i) => {
    if (!element.hasAttribute("class")) return;
    const look = getComputedStyle(element);
    copies[i].setAttribute("stroke", look.stroke);
    if (element.getAttribute("fill") !== "none") copies[i].setAttribute("fill", look.fill);
  });
  copy.setAttribute("width", seen.viewBox.baseVal.width);
  copy.setAttribute("height", seen.viewBox.baseVal.height);
  return new Blob([new XMLSerializer().serializeToString(copy)], {type: "image/svg+xml"});
}

function savePng(figure, name) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, name));
    URL.revokeObjectURL(image.src);
  };
  image.src = URL.createObjectURL(drawn(figure));
}

for (const figure of document.querySelectorAll("figure")) {
  const data = figure.querySelector("pre");
  const acts = {
    data(button) {
      data.hidden = !data.hidden;
      button.setAttribute("aria-expanded", String(!data.hidden));
    },
    csv: () => save(new Blob([data.textContent], {type: "text/csv"}), figure.id + ".csv"),
    svg: () => save(drawn(figure), figure.id + ".svg"),
    png: () => savePng(figure, figure.id + ".png"),
  };
  for (const button of figure.querySelectorAll("button"))
    button.addEventListener("click", () => acts[button.dataset.act](button));
}
)";

}  // namespace pequod::app::plot
