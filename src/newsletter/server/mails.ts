import { verificationHours, type AccountLanguage } from '../../accounts/contract.ts'
import { letLinkBegin, makeLink, tokenOfMade } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { queueMail, type MailKinds } from '../../mail/server/mail.ts'
import { page } from '../../site-map.ts'
import { takeMail, unsubscribeTokens, type NewsletterRoom } from './newsletter.ts'
import * as store from './store.ts'

/** Kinds of mail that the newsletter sends. `newsletter_wish` is a queued request: the confirmation mail follows from its job. */
export function newsletterMails(room: NewsletterRoom): MailKinds {
  const { db, clock, keyring, texts } = room
  return {
    newsletter_wish: {
      async expand({ locale, origin, email }) {
        if (!email || (await takeMail(room, foldEmail(email))) > 0) return []
        return [
          async (trx) => {
            const subscriber = {
              subscriber_id: newId(),
              email,
              email_folded: foldEmail(email),
              language: locale as AccountLanguage,
              now: asDate(clock.now()),
            }
            const { subscriber_id: subscriberId, confirmed_at } = await store.subscribe(trx, subscriber, 'anybody')
            // Reads the newsletter already: no mail is needed.
            if (confirmed_at) return
            const linkId = await makeLink(room, trx, { purpose: 'newsletter', subscriberId })
            await queueMail(room, trx, { kind: 'newsletter', subscriberId, linkId, locale, origin })
          },
        ]
      },
    },
    newsletter: {
      async compose({ subscriber_id: subscriberId, link_id: linkId, locale, origin }) {
        if (!subscriberId || !linkId) return null
        // The link's hours start now, however long the mail was queued.
        await letLinkBegin(room, linkId)
        const subscriber = await store.findSubscriber(db, subscriberId)
        const token = await tokenOfMade(keyring, db, linkId)
        // Unsubscribed or confirmed since the mail was queued.
        if (!subscriber || !token) return null
        const say = (key: string) =>
          texts.say(locale, `mails.${key}`, { festival: room.festivalName, kind: 'user', hours: verificationHours })
        const out = encodeURIComponent(unsubscribeTokens(keyring, subscriberId)[0]!)
        return {
          to: subscriber.email,
          subject: say('newsletter.subject'),
          greeting: null,
          paragraphs: say('newsletter.text').split('\n'),
          button: { label: say('newsletter.button'), url: `${origin}${page.newsletterConfirm}?token=${token}` },
          footer: say('footer'),
          // A GET shows a page with a button; the one click of a mail program is a POST and unsubscribes at once.
          unsubscribe: { url: `${origin}${page.newsletterUnsubscribe}?subscriber=${out}` },
        }
      },
    },
  }
}
