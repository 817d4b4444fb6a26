import { verificationHours, type AccountLanguage } from '../../accounts/contract.ts'
import { letLinkBegin, makeLink, tokenOfMade } from '../../accounts/server/accounts.ts'
import { asDate } from '../../kit/server/clock.ts'
import { newId } from '../../kit/server/ids.ts'
import { foldEmail } from '../../kit/shared/email-address.ts'
import { queueMail, type MailKinds } from '../../mail/server/mail.ts'
import { page } from '../../site-map.ts'
import { takeMail, unsubscribeTokens, type NewsletterRoom } from './newsletter.ts'
import * as store from './store.ts'

/** What the newsletter sends, for the room of mails. */
export function newsletterMails(room: NewsletterRoom): MailKinds {
  const { db, clock, keyring, texts } = room
  return {
    /** A link for whoever is not on the list yet; who is gets nothing. */
    newsletter_wish: {
      async expand({ locale, origin, email }) {
        if (!email || (await takeMail(room, foldEmail(email))) > 0) return []
        return [
          async (trx) => {
            const wish = {
              subscriber_id: newId(),
              email,
              email_folded: foldEmail(email),
              language: locale as AccountLanguage,
              now: asDate(clock.now()),
            }
            const { subscriber_id: subscriberId, confirmed_at } = await store.subscribe(trx, wish, 'anybody')
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
        // its time begins when its mail leaves, however long the mail has waited
        await letLinkBegin(room, linkId)
        const subscriber = await store.findSubscriber(db, subscriberId)
        const token = await tokenOfMade(keyring, db, linkId)
        // ended or confirmed meanwhile
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
          // a person gets a page there, and the one click of a mail program (a POST) ends it at once
          unsubscribe: { label: say('unsubscribe'), url: `${origin}${page.newsletterUnsubscribe}?subscriber=${out}` },
        }
      },
    },
  }
}
