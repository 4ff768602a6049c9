#include "scene/xml_tags.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace pequod {
namespace {

struct OpenTag {
  std::string_view name;
  Place place;
};

/// Walks through a text from tag to tag.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  XmlTags scan() {
    while (!tags_.problem) {
      at_ = text_.find('<', at_);
      if (at_ == std::string_view::npos) break;
      step();
    }
    if (!tags_.problem && !open_.empty())
      fail(open_.back().place, "<" + std::string(open_.back().name) + "> is never closed",
           "add </" + std::string(open_.back().name) + ">");
    return std::move(tags_);
  }

 private:
  void step() {
    if (begins("<!--")) return skip("-->", "this comment is never closed");
    if (begins("<![CDATA[")) return skip("]]>", "this CDATA is never closed");
    if (begins("<?")) return skip("?>", "this declaration is never closed");
    if (begins("<!")) return skip(">", "this declaration is never closed");
    if (begins("</")) return close_tag();
    open_tag();
  }

  [[nodiscard]] bool begins(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }

  void skip(std::string_view end, const std::string& message) {
    const std::size_t found = text_.find(end, at_ + 2);
    if (found == std::string_view::npos) return fail(here(), message, "add " + std::string(end));
    at_ = found + end.size();
  }

  [[nodiscard]] std::string_view name_at(std::size_t begin) const {
    constexpr std::string_view kEnds = " \t\r\n/><=";
    return text_.substr(begin, std::min(text_.find_first_of(kEnds, begin), text_.size()) - begin);
  }

  void close_tag() {
    const std::string name(name_at(at_ + 2));
    const Place place = here();
    if (open_.empty()) return fail(place, "</" + name + "> closes nothing", "remove it");
    const OpenTag opened = open_.back();
    if (opened.name != name)
      return fail(opened.place,
                  "<" + std::string(opened.name) + "> is closed by </" + name + "> at line " +
                      std::to_string(place.line),
                  "put </" + std::string(opened.name) + "> before it");
    open_.pop_back();
    skip(">", "</" + name + " has no >");
  }

  void open_tag() {
    const OpenTag tag{name_at(at_ + 1), here()};
    if (tag.name.empty()) return fail(tag.place, "a < that begins no tag", "write &lt; in text");
    tags_.starts.push_back(tag.place);
    at_ += 1 + tag.name.size();
    // Attributes: name="value" or name='value'.
    for (;; ++at_) {
      at_ = std::min(text_.find_first_of("=></", at_), text_.size());
      if (at_ == text_.size() || text_[at_] == '<')
        return fail(tag.place, "<" + std::string(tag.name) + " has no >", "add > or />");
      if (text_[at_] == '>') break;
      if (text_[at_] == '/' && text_.substr(at_).starts_with("/>")) {
        at_ += 2;
        return;
      }
      if (text_[at_] == '=' && !skip_value(tag)) return;
    }
    ++at_;
    open_.push_back(tag);
  }

  bool skip_value(const OpenTag& tag) {
    const std::size_t quote = text_.find_first_not_of(" \t\r\n", at_ + 1);
    const bool quoted =
        quote != std::string_view::npos && (text_[quote] == '"' || text_[quote] == '\'');
    if (!quoted) {
      fail(here(), "a value in <" + std::string(tag.name) + "> has no quotes",
           "write name=\"value\"");
      return false;
    }
    const std::size_t end = text_.find(text_[quote], quote + 1);
    if (end == std::string_view::npos) {
      fail(here(quote), "this quote in <" + std::string(tag.name) + "> is never closed",
           std::string("add ") + text_[quote]);
      return false;
    }
    at_ = end;
    return true;
  }

  [[nodiscard]] Place here() const { return here(at_); }
  [[nodiscard]] Place here(std::size_t at) const {
    // From where the last place was: together they take one pass over the text.
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_ = at;
    const std::size_t start = text_.substr(0, at).rfind('\n');
    return {file_, line_, static_cast<int>(start == std::string_view::npos ? at + 1 : at - start)};
  }

  void fail(const Place& place, const std::string& message, const std::string& hint) {
    tags_.problem = Diagnostic{Severity::error, place, "not valid XML: " + message, hint};
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  mutable std::size_t counted_ = 0;
  mutable int line_ = 1;
  std::vector<OpenTag> open_;
  XmlTags tags_;
};

/// tinyxml2 and the scanner meet the elements in the same order.
void remember_places(tinyxml2::XMLElement* element, const std::vector<Place>& starts,
                     std::size_t& next) {
  for (; element != nullptr; element = element->NextSiblingElement()) {
    const int column = next < starts.size() ? starts[next].column : 0;
    ++next;
    // What tinyxml2 carries along for its user is a pointer; a number does as well.
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    element->SetUserData(reinterpret_cast<void*>(static_cast<std::intptr_t>(column)));
    remember_places(element->FirstChildElement(), starts, next);
  }
}

std::string words_for(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file is empty";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is not written as name=\"value\", or given twice";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text ends within a word like &amp;";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "a declaration <? ?> is not first, or not closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply";
    default:
      return "a tag is not written as <name> … </name> or <name/>";
  }
}

}  // namespace

XmlTags scan_xml(const std::string& text, const std::string& file) {
  return Scanner(text, file).scan();
}

bool parse_xml(const std::string& text, const std::string& file, tinyxml2::XMLDocument& document,
               Diagnostics& diagnostics) {
  const XmlTags tags = scan_xml(text, file);
  if (tags.starts.empty() && !tags.problem && text.find_first_not_of(" \t\r\n") != text.npos) {
    diagnostics.error({file, 1, 1}, "not valid XML: there is no tag in it");
    return false;
  }
  const tinyxml2::XMLError error = document.Parse(text.c_str(), text.size());
  if (error == tinyxml2::XML_SUCCESS) {
    std::size_t next = 0;
    remember_places(document.FirstChildElement(), tags.starts, next);
    return true;
  }
  if (tags.problem)
    diagnostics.error(tags.problem->place, tags.problem->message, tags.problem->hint);
  else
    diagnostics.error({file, std::max(document.ErrorLineNum(), 1), 1},
                      "not valid XML: " + words_for(error));
  return false;
}

Place place_of_element(const tinyxml2::XMLElement& element, const std::string& file) {
  return {file, element.GetLineNum(),
          static_cast<int>(reinterpret_cast<std::intptr_t>(element.GetUserData()))};
}

}  // namespace pequod
