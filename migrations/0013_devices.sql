-- Which browser and which system, a word each, so that the list of sessions says them in the reader's language; null: unknown.
alter table sessions
  add column browser text check (char_length(browser) <= 40),
  add column system text check (char_length(system) <= 40);
-- it stood as "Chrome on Linux", or as one of the two alone
update sessions set
  browser = nullif(substring(device from '^(Edge|Opera|Samsung Internet|Firefox|Chrome|Safari)'), ''),
  system = nullif(substring(device from '(iPhone|iPad|Android|Windows|macOS|ChromeOS|Linux)$'), '');
alter table sessions drop column device;
