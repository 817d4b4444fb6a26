/** How every Chromium of the stories is started. */
export const launchOptions = {
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // letters as wide as on a phone; the headless shell rounds them to whole pixels otherwise
    '--font-render-hinting=none',
  ],
}
