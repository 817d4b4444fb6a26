import { useMatches } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../kit/browser/PageHead.tsx'
import { ButtonLink } from '../kit/browser/ui/Button.tsx'
import { page } from '../site-map.ts'
import { Placard } from './Placard.tsx'

type Way = { href: string; label: string }

const ways = {
  deals: { href: page.deals, label: 'toDeals' },
  home: { href: page.home, label: 'toHome' },
  merchants: { href: page.businesses, label: 'toMerchants' },
  help: { href: page.help, label: 'toHelp' },
  contact: { href: page.contact, label: 'toContact' },
  userLogin: { href: page.userLogin, label: 'toUserLogin' },
} satisfies Record<string, Way>

const forVisitors = [ways.deals, ways.merchants]
const forMerchants = [ways.contact, ways.merchants]

/** Address -> key of its texts, hue of its poster, and where to go meanwhile. */
const rooms: Record<string, { key: string; category: string; on: Way[] }> = {
  events: { key: 'events', category: 'music', on: forVisitors },
  forum: { key: 'forum', category: 'family', on: [ways.deals, ways.help] },
  userlogin: { key: 'userLogin', category: 'drinks', on: forVisitors },
  usersignup: { key: 'userSignup', category: 'drinks', on: forVisitors },
  'business-login': { key: 'businessLogin', category: 'shopping', on: forMerchants },
  signup: { key: 'businessSignup', category: 'shopping', on: forMerchants },
  googlelogin: { key: 'googleLogin', category: 'other', on: [ways.userLogin, ways.deals] },
  socialLogin: { key: 'googleLogin', category: 'other', on: [ways.userLogin, ways.deals] },
  'forgot-password': { key: 'forgotPassword', category: 'other', on: [ways.help, ways.home] },
  'reset-password': { key: 'resetPassword', category: 'other', on: [ways.help, ways.home] },
  dashboard: { key: 'dashboard', category: 'shopping', on: forMerchants },
  'edit-business': { key: 'editBusiness', category: 'shopping', on: forMerchants },
  'create-deal': { key: 'createDeal', category: 'food', on: forMerchants },
  'deal-analytics': { key: 'dealAnalytics', category: 'music', on: forMerchants },
  'upgrade-subscription': { key: 'upgrade', category: 'workshop', on: forMerchants },
  upgrade: { key: 'upgrade', category: 'workshop', on: forMerchants },
  'promote-business': { key: 'promote', category: 'workshop', on: forMerchants },
  myschedule: { key: 'mySchedule', category: 'music', on: forVisitors },
  favorites: { key: 'favorites', category: 'drinks', on: forVisitors },
  settings: { key: 'settings', category: 'other', on: [ways.deals, ways.help] },
  redeem: { key: 'redeem', category: 'nightlife', on: forMerchants },
  'deal/:deal_id/edit': { key: 'editDeal', category: 'food', on: forMerchants },
}

const roomOf = (routeId: string | undefined) => rooms[routeId?.replace(/^soon:/, '') ?? ''] ?? rooms['events']!

/** The page of a room that is not open yet, until the room brings its own. */
export default function SoonScreen() {
  const t = useTranslations('soon')
  const { key, category, on } = roomOf(useMatches().at(-1)?.id)
  return (
    <Placard overline={t('overline')} title={t(`${key}.name`)} picture={{ category, id: `soon-${key}` }}>
      <PageHead title={t(`${key}.name`)} description={t(`${key}.text`)} hidden />
      <p className="text-lg">{t(`${key}.text`)}</p>
      <p className="flex flex-wrap gap-3">
        {on.map(({ href, label }, index) => (
          <ButtonLink key={href} href={href} size="lg" variant={index === 0 ? 'primary' : 'secondary'}>
            {t(label)}
          </ButtonLink>
        ))}
      </p>
    </Placard>
  )
}
