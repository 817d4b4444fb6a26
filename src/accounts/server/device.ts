const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** What a session was started with; null: not known. */
export interface Device {
  browser: string | null
  system: string | null
}

/** Names of browser and system, e.g. Firefox, Android: enough to tell one's devices apart. Nothing more is stored. */
export function deviceOf(userAgent: string): Device {
  const named = (list: [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(userAgent.slice(0, 500)))?.[1] ?? null
  return { browser: named(browsers), system: named(systems) }
}
