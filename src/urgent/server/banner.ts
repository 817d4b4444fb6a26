import { html } from '../../kit/server/mail-html.ts'
import { noticeLead } from '../limits.ts'
import { listUrgent, type UrgentRoom } from './urgent.ts'

/**
 * What every page shows on top, as HTML; empty while there is nothing. It stands outside of what the screens draw, so it
 * costs them no code and works without JavaScript; `web/follow-urgent.ts` keeps it true while a page is open.
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
