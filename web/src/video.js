// The motion as pictures, to the server that the page came from.

const picture = (canvas) => new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));

/** One picture after the other, so many a second of motion, from the start to the end. */
export async function sendVideo(viewer, frames) {
  document.documentElement.classList.add("video");
  viewer.resize();
  viewer.stop();
  const [from, to] = viewer.span;
  const canvas = viewer.stage.canvases[0];
  for (let k = 0; from + k / frames < to + 0.5 / frames; ++k) {
    viewer.seek(from + k / frames);
    viewer.stage.draw(); // in the same task as toBlob: the canvas does not keep what it shows
    await fetch("frame", { method: "POST", body: await picture(canvas) });
  }
  await fetch("end", { method: "POST", body: "" });
}
