#include "app/view/live_view.h"

#include <utility>

#include "app/view/pack.h"
#include "app/view/page.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {

LiveView::LiveView(const std::string& title, std::filesystem::path folder)
    : folder_(std::move(folder)),
      page_(motion_page(title, {}, require_bundle(), {.live = true})),
      server_([this](const WebRequest& request) { return answer(request); }) {}

WebReply LiveView::answer(const WebRequest& request) {
  if (request.method != "GET") return {.status = 405, .body = "this page is only read\n"};
  if (request.path.empty()) return {.type = "text/html; charset=utf-8", .body = page_};
  if (request.path != "run") return {.status = 404, .body = "there is nothing here\n"};
  std::error_code code;
  for (const char* name :
       {"summary.json", "model.json", "state.csv", "energy.csv", "contacts.csv", "events.csv"})
    if (!std::filesystem::exists(folder_ / name, code)) return {.status = 204};
  // The run writes one log after the other: one may be without its head still, or without rows.
  try {
    return {.body = packed(plot::read_run(folder_))};
  } catch (const RunFolderRefused&) {
    return {.status = 204};
  }
}

std::string LiveView::packed(const plot::RunData& run) {
  if (!visuals_) visuals_ = pack_visuals(run);
  return pack_run(run, *visuals_);
}

}  // namespace pequod::app
