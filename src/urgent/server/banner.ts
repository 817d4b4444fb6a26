import { html } from '../../kit/server/mail-html.ts'
import { noticeLead } from '../limits.ts'
import { listUrgent, type UrgentRoom } from './urgent.ts'

/**
 * The banner of notices at the top of every page, as HTML; empty without notices. It is outside of React, so screens need no
 * code for it and it works without JavaScript; `web/follow-urgent.ts` updates it while a page is open.
 */
export async function urgentBanner(room: UrgentRoom, locale: string): Promise<string> {
  const notices = await listUrgent(room, locale)
  if (notices.length === 0) return ''
  const lines = notices.map(
    ({ title, text, until }) =>
      html`<p class="shell py-3 wrap-anywhere">
        <strong>${noticeLead(title, locale)}${text}</strong> <span>${until}</span>
      </p>`,
  )
  return html`<section id="urgent" role="alert" class="print-hidden border-b-2 border-night bg-lantern text-on-lantern">
    ${lines}
  </section>`.markup
}
