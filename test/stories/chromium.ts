/** The options with which every Chromium of the stories starts. */
export const launchOptions = {
  executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    // letters as wide as on a phone; otherwise the headless shell rounds them to whole pixels
    '--font-render-hinting=none',
  ],
}
