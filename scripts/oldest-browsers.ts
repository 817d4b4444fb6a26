/**
 * The oldest supported browsers, with the names of MDN's compatibility data (decision 70): Safari of iOS 16.4, last year's Firefox ESR,
 * Chrome and Samsung Internet of three years ago.
 */
export const oldestBrowsers = {
  safari: '16.4',
  safari_ios: '16.4',
  firefox: '140',
  firefox_android: '140',
  chrome: '119',
  chrome_android: '119',
  samsunginternet_android: '23.0',
}

/** The same for Vite, which does not know Samsung Internet: its release 23 is Chromium 115. */
export const buildTarget = ['safari16.4', 'ios16.4', 'firefox140', 'chrome115']
