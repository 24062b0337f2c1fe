#!/usr/bin/env bash
# Opens HTML pages in headless Chromium at 1280 and 390 pixels, light and dark: no errors on the console, no requests,
# nothing wider than its box, nothing that scrolls sideways at 390 pixels, no number of a tile on two lines, none beside its unit on the next line; answers print on fewer than 8 sheets; and valid markup, by HTML Tidy where it is installed. A page forbids itself every request, so that one becomes an error on the console; a page
# with a request in it shows first that this is seen. Usage: pages_in_browser.sh PAGE...; exit 77: no Chromium here.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  { echo "skipped: no Chromium"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A frame has the width that a window of a desktop browser refuses. Its page may scroll inside boxes made for it where it
# is wide, but not as a whole nor on a telephone, and no words may be cut.
frame() { # page width
  cat <<'HTML'
<!DOCTYPE html><html><head><meta charset="utf-8"><title>waiting</title></head><body style="margin:0">
<script>
addEventListener('load', () => {
  const page = document.querySelector('iframe').contentDocument, found = [];
  const root = page.documentElement;
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + root.scrollWidth + ' wide');
  for (const element of page.querySelectorAll('body *')) {
    const style = page.defaultView.getComputedStyle(element);
    if (element.closest('svg, .scroll, pre') || style.display === 'inline') continue;
    const box = element.getBoundingClientRect();
    if (box.right > root.clientWidth + 1 || box.left < -1) found.push(element.tagName + ' ' + element.className + ' leaves the page');
    if (style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) found.push(element.tagName + ' is cut');
  }
  for (const text of page.querySelectorAll('svg text')) {
    const box = text.getBoundingClientRect(), around = text.closest('svg').getBoundingClientRect();
    if (box.left < around.left - 2 || box.right > around.right + 2) found.push('"' + text.textContent + '" leaves its drawing');
    if (box.height < 7) found.push('"' + text.textContent + '" is too small to read');
  }
  if (!page.querySelector('meta[http-equiv="Content-Security-Policy"]')) found.push('the page does not forbid requests');
  for (const number of page.querySelectorAll('.tiles data'))
    if (number.getClientRects().length > 1) found.push('"' + number.textContent + '" breaks');
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());)
    if (/\d (%|[kMGT]?B\b|[mu]?s\b)/.test(text.data) && !text.parentElement.closest('script, style, pre, code, svg, output'))
      found.push('a number may lose its unit in "' + text.data.slice(0, 60) + '"');
  for (const details of page.querySelectorAll('details')) details.open = true;
  if (root.clientWidth < 500)
    for (const box of page.querySelectorAll('.scroll, pre, table'))
      if (box.scrollWidth > box.clientWidth) found.push(box.tagName + ' of "' + box.textContent.trim().slice(0, 30) + '" scrolls sideways');
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + root.scrollWidth + ' wide with everything open');
  document.title = 'looked: ' + found.slice(0, 8).join('; ');
});
</script>
HTML
  printf '<iframe style="border:0;height:900px;width:%spx" srcdoc="' "$2"
  sed 's/&/\&amp;/g; s/"/\&quot;/g' "$1"
  printf '"></iframe></body></html>\n'
}

complaints='' title=''
look() { # theme: opens the frame, sets title and complaints
  local options=(--headless --no-sandbox --disable-gpu "--window-size=1400,1000" --user-data-dir="$work/profile"
    --virtual-time-budget=3000 --enable-logging=stderr --log-level=0)
  [ "$1" = light ] || options+=(--blink-settings=preferredColorScheme=0)
  timeout 60 "$browser" "${options[@]}" --dump-dom "file://$work/frame.html" >"$work/dom" 2>"$work/log" || true
  title=$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' "$work/dom" | head -n 1)
  complaints=$(grep -E 'CONSOLE' "$work/log" || true)
}

sed 's|<main>|<main><img alt="" src="https://example.invalid/a.png">|' "$1" >"$work/asks.html"
frame "$work/asks.html" 1280 >"$work/frame.html"
look light
[ -n "$complaints" ] || { echo "a page that asks for a picture from elsewhere is not noticed"; exit 1; }

# Tidy does not know <data>, which the standard has since 2014.
markup() { # page
  command -v tidy >/dev/null || return 0
  tidy -q -e --new-inline-tags data --drop-empty-elements no "$1" 2>&1 | grep -v '<data> is not approved' || true
}
printf '<!DOCTYPE html><html lang="en"><head><title>t</title></head><body><p><table></p></body></html>' >"$work/wrong.html"
command -v tidy >/dev/null || echo "markup not checked: no HTML Tidy"
! command -v tidy >/dev/null || [ -n "$(markup "$work/wrong.html")" ] || { echo "wrong markup is not noticed"; exit 1; }

# Those who decide print an answer; what is folded stays folded on paper.
sheets() { # page
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
    --print-to-pdf="$work/printed.pdf" "file://$(realpath "$1")" >/dev/null 2>&1 || true
  grep -ac '/Type /Page$' "$work/printed.pdf"
}

failed=0
for page in "$@"; do
  case $(basename "$page") in
    *outcome.html | plan.html | check.html)
      printed=$(sheets "$page") || true
      if [ "${printed:-0}" -lt 1 ] || [ "$printed" -ge 8 ]; then
        echo "$(basename "$page"): prints on ${printed:-no} sheets, fewer than 8 expected"
        failed=1
      fi ;;
  esac
  wrong=$(markup "$page")
  [ -z "$wrong" ] || { echo "$(basename "$page"): $(head -n 5 <<<"$wrong")"; failed=1; }
  for width in 1280 390; do
    frame "$page" $width >"$work/frame.html"
    for theme in light dark; do
      look $theme
      [ "$title" = "looked: " ] && [ -z "$complaints" ] && continue
      echo "$(basename "$page") at $width pixels, $theme: ${title:-no page} $complaints"
      failed=1
    done
  done
done
[ $failed -eq 0 ] && echo "$# pages are whole"
exit $failed
