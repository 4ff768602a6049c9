#include "app/view/live_view.h"

#include <utility>

#include "app/view/page.h"

namespace pequod::app {

LiveView::LiveView(const std::string& title, std::filesystem::path folder)
    : folder_(std::move(folder)),
      page_(motion_page(title, {}, require_bundle(), {.live = true})),
      server_([this](const WebRequest& request) { return answer(request); }) {}

WebReply LiveView::answer(const WebRequest& request) const {
  if (request.method != "GET") return {.status = 405, .body = "this page is only read\n"};
  if (request.path.empty()) return {.type = "text/html; charset=utf-8", .body = page_};
  if (request.path != "run") return {.status = 404, .body = "there is nothing here\n"};
  std::error_code code;
  for (const char* name : {"summary.json", "model.json", "state.csv"})
    if (!std::filesystem::exists(folder_ / name, code)) return {.status = 204};  // not begun
  const plot::RunData run = plot::read_run(folder_);
  if (run.state.rows == 0) return {.status = 204};
  return {.body = page_data(run)};
}

}  // namespace pequod::app
