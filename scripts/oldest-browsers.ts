/**
 * The oldest browsers that the site supports, by the names that MDN's compatibility data give them (decision 70): Safari of
 * iOS 16.4, Firefox ESR of a year ago, Chrome and Samsung Internet of three years ago.
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

/** The same for Vite, which does not know Samsung Internet: release 23 is Chromium 115. */
export const buildTarget = ['safari16.4', 'ios16.4', 'firefox140', 'chrome115']
