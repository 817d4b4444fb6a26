import { useLocation, useMatches } from 'react-router'
import { useTranslations } from 'use-intl'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { page } from '../../site-map.ts'
import { ForLoggedIn, NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { Placard } from './Placard.tsx'

type Way = { href: string; label: string }

const ways = {
  deals: { href: page.deals, label: 'toDeals' },
  merchants: { href: page.businesses, label: 'toMerchants' },
  help: { href: page.help, label: 'toHelp' },
  contact: { href: page.contact, label: 'toContact' },
} satisfies Record<string, Way>

const forVisitors = [ways.deals, ways.merchants]
const forMerchants = [ways.contact, ways.merchants]

type Guest = 'none' | 'upgrade' | 'promote'
interface Room {
  key: string
  category: string
  on: Way[]
  /** Whose page it is: visitors are sent to log in, a business is told by this sentence. */
  of?: 'visitor' | { guest: Guest }
}

/** Address -> key of its texts, hue of its poster, where to go meanwhile, and who may see it. */
const rooms: Record<string, Room> = {
  events: { key: 'events', category: 'music', on: forVisitors },
  forum: { key: 'forum', category: 'family', on: [ways.deals, ways.help] },
  'deal-analytics': { key: 'dealAnalytics', category: 'music', on: forMerchants, of: { guest: 'none' } },
  'upgrade-subscription': { key: 'upgrade', category: 'workshop', on: forMerchants, of: { guest: 'upgrade' } },
  upgrade: { key: 'upgrade', category: 'workshop', on: forMerchants, of: { guest: 'upgrade' } },
  'promote-business': { key: 'promote', category: 'workshop', on: forMerchants, of: { guest: 'promote' } },
  myschedule: { key: 'mySchedule', category: 'music', on: forVisitors, of: 'visitor' },
  favorites: { key: 'favorites', category: 'drinks', on: forVisitors, of: 'visitor' },
  redeem: { key: 'redeem', category: 'nightlife', on: forMerchants, of: { guest: 'none' } },
}

const roomOf = (routeId: string | undefined) => rooms[routeId?.replace(/^soon:/, '') ?? ''] ?? rooms['events']!

/** The page of a room that is not open yet, until the room brings its own. */
export default function SoonScreen() {
  const { key, category, on, of } = roomOf(useMatches().at(-1)?.id)
  const sheet = <Sheet room={{ key, category, on }} guest={typeof of === 'object' ? of.guest : null} />
  return of === 'visitor' ? <ForLoggedIn waiting={sheet}>{sheet}</ForLoggedIn> : sheet
}

function Sheet({ room: { key, category, on }, guest }: { room: Room; guest: Guest | null }) {
  const t = useTranslations('soon')
  const frame = useTranslations('frame')
  const { pathname } = useLocation()
  const { known, businessId } = useBusinessHere()
  return (
    <Placard overline={t('overline')} title={t(`${key}.name`)} picture={{ category, id: `soon-${key}` }}>
      <PageHead title={t(`${key}.name`)} description={t(`${key}.text`)} hidden />
      {guest && known && businessId === null ? (
        <NoBusinessHere key={pathname} text={frame(`guest.${guest}`)} />
      ) : (
        <>
          <p className="text-lg">{t(`${key}.text`)}</p>
          <p className="flex flex-wrap gap-3">
            {on.map(({ href, label }, index) => (
              <ButtonLink key={href} href={href} size="lg" variant={index === 0 ? 'primary' : 'secondary'}>
                {t(label)}
              </ButtonLink>
            ))}
          </p>
        </>
      )}
    </Placard>
  )
}
