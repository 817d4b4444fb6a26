import type { Page } from 'playwright-core'
import { hydrated } from './browser.ts'

/** Opens lists up to their last page. */
export async function walkToTheEnd(page: Page, paths: readonly string[]) {
  for (const path of paths)
    for (let here: string | null = path; here;) {
      await page.goto(here)
      await hydrated(page)
      const [next] = await page.locator('main a[rel=next]').all()
      here = next ? await next.getAttribute('href') : null
    }
}

/** Texts that would run a script if a page showed them as HTML. */
export const payloads = [
  '<script>alert(1)</script>',
  '"><script>alert(1)</script>',
  "'><script>alert(1)</script>",
  '</title><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<body onload=alert(1)>',
  '<iframe src=javascript:alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data=javascript:alert(1)>',
  '<embed src=javascript:alert(1)>',
  '<a href=javascript:alert(1)>x</a>',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)' autofocus='",
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<style>@import "javascript:alert(1)"</style>',
  '<link rel=stylesheet href=javascript:alert(1)>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href=//evil.example/>',
  '<form action=javascript:alert(1)><button>x',
  '<template><script>alert(1)</script></template>',
  '<!--<script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '\u2028alert(1)\u2029',
  '"]);alert(1);//',
  '</body></html><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\\u003cscript\\u003ealert(1)',
  '<x onclick=alert(1) style=position:fixed;inset:0>',
]
