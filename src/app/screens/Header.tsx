import Bookmark from 'lucide-react/icons/bookmark'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Heart from 'lucide-react/icons/heart'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LogOut from 'lucide-react/icons/log-out'
import Map from 'lucide-react/icons/map'
import MessagesSquare from 'lucide-react/icons/messages-square'
import Pencil from 'lucide-react/icons/pencil'
import Settings from 'lucide-react/icons/settings'
import Store from 'lucide-react/icons/store'
import Tag from 'lucide-react/icons/tag'
import User from 'lucide-react/icons/user'
import { memo, useRef } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { mapIntent } from '../../map/web/load-engine.ts'
import { logOut, useSession, type Session } from '../../accounts/web/session.ts'
import { Logo } from '../../brand/Logo.tsx'
import { Menu, type MenuEntry } from '../../kit/browser/ui/Menu.tsx'
import { isSavedHere, page, savedEventsPage } from '../../site-map.ts'
import { useIsPlain } from '../boot/plain.ts'
import { useUnread } from '../boot/unread.ts'
import { useWaiting } from '../boot/waiting.ts'
import { BellLink } from './BellLink.tsx'

const places = [
  { key: 'events', href: page.events, Icon: CalendarDays, section: /^\/event\// },
  { key: 'deals', href: page.deals, Icon: Tag, section: /^\/deal\/[^/]+$/ },
  { key: 'map', href: page.dealsMap, Icon: Map, section: null },
  { key: 'forum', href: page.forum, Icon: MessagesSquare, section: /^\/(forum|topic)\// },
] as const

/**
 * Brand, four destinations and the account. On wide screens one bar at the top; on phones the navigation is at the lower edge, near
 * the thumb, with what guests saved as its last place; the brand and the logins of guests stay on top. In very large type (`@max-[18rem]`) five words do not fit side by side, so
 * the bar has two columns of words without icons.
 */
export const Header = memo(function Header() {
  const t = useTranslations('frame')
  const { pathname, search } = useLocation()
  const isSaved = isSavedHere(pathname, search)
  // the specification allows the dashboard four requests only
  const unread = useUnread(pathname === page.dashboard)
  return (
    <header className="relative z-40 border-b-2 border-rule bg-page text-ink [view-transition-name:header] md:sticky md:top-0 print-hidden">
      <div className="shell flex min-h-14 items-center max-md:flex-wrap md:grid md:min-h-16 md:grid-cols-[1fr_auto_1fr] md:gap-x-4 lg:max-xl:grid-cols-[1fr_auto_auto]">
        <a
          href={page.home}
          aria-label={t('homeLink')}
          className="-ml-1 flex min-h-11 items-center justify-self-start rounded-6 px-1 text-ink no-underline"
        >
          <Logo />
        </a>
        {unread !== null && <BellLink unread={unread} className="ml-auto md:hidden" />}
        <LogIn />
        <nav
          aria-label={t('main')}
          className="max-md:@container max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:grid max-md:grid-cols-5 max-md:border-t-2 max-md:border-rule max-md:bg-page max-md:pb-[env(safe-area-inset-bottom)] max-md:[view-transition-name:bottom-bar] md:col-span-2 md:grid md:grid-cols-subgrid"
        >
          <ul className="max-md:col-span-4 max-md:grid max-md:grid-cols-[repeat(4,minmax(0,1fr))] @max-[18rem]:col-span-5 @max-[18rem]:grid-cols-2 md:flex lg:gap-1">
            {places.map(({ key, href, Icon, section }) => (
              <li key={key}>
                <a
                  href={href}
                  aria-current={
                    isSaved ? undefined : pathname === href ? 'page' : section?.test(pathname) ? 'true' : undefined
                  }
                  {...(key === 'map' && pathname !== href ? mapIntent : {})}
                  className={destination}
                >
                  <span className={tile}>
                    <Icon aria-hidden="true" className="size-[min(1.5rem,10vw)]" />
                  </span>
                  {t(key)}
                </a>
              </li>
            ))}
          </ul>
          <div className="min-w-0 max-md:grid @max-[18rem]:col-span-5 md:flex md:items-center md:justify-self-end">
            {unread !== null && <BellLink unread={unread} className="max-md:hidden" />}
            <Account pathname={pathname} isSaved={isSaved} />
          </div>
        </nav>
      </div>
      <Refreshing />
    </header>
  )
})

function Refreshing() {
  const { refreshing } = useWaiting()
  return (
    refreshing && <span aria-hidden="true" className="absolute inset-x-0 -bottom-1 h-1 animate-breathe bg-action" />
  )
}

const onPhones =
  'max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:px-0 max-md:text-center max-md:text-[min(var(--text-xs),2vw+0.28rem)] @max-[18rem]:bar-word max-md:tracking-tight max-md:leading-tight max-md:hyphens-auto max-md:wrap-anywhere'
const destination = `group flex min-h-16 items-center font-semibold text-ink no-underline decoration-action decoration-3 underline-offset-8 max-md:text-ink-soft max-md:hover:text-ink max-md:aria-[current]:text-ink md:min-h-11 md:rounded-6 md:px-3 md:max-lg:px-2 md:max-lg:text-sm md:hover:underline md:aria-[current]:underline ${onPhones}`
const tile =
  'rounded-6 px-[min(0.75rem,3vw)] py-0.5 group-aria-[current]:bg-action group-aria-[current]:text-on-action md:hidden'

/** Opens the two logins on phones, in a popover of the browser, which needs no JavaScript. */
function LogIn() {
  const t = useTranslations('frame')
  const isPlain = useIsPlain()
  if (useSession() !== 'guest') return null
  return (
    <div data-account={isPlain ? 'guest' : undefined} className="ml-auto md:hidden">
      <button type="button" popoverTarget="login-ways" className="needs-popover -mr-2 min-h-11 px-2 font-semibold">
        {t('logIn')}
      </button>
    </div>
  )
}

/** Two login links for guests, on phones what they saved; the menu of the account for everybody else. */
function Account({ pathname, isSaved }: { pathname: string; isSaved: boolean }) {
  const session = useSession()
  const isPlain = useIsPlain()
  if (!isPlain) return <AccountOf session={session} pathname={pathname} isSaved={isSaved} />
  // a plain page contains all three, and its script shows one (boot/plain-page.ts)
  return (['guest', 'user', 'business'] as const).map((each) => (
    <div key={each} data-account={each} hidden={each !== 'guest'} className="grid min-w-0 md:justify-self-end">
      <AccountOf session={each} pathname={pathname} isSaved={isSaved} />
    </div>
  ))
}

function AccountOf({ session, pathname, isSaved }: { session: Session; pathname: string; isSaved: boolean }) {
  const t = useTranslations('frame')
  if (session === 'guest') return <GuestWays pathname={pathname} isSaved={isSaved} />
  const business = session === 'business'
  const Icon = business ? Store : User
  const own: MenuEntry[] = business
    ? [
        { label: t('dashboard'), href: page.dashboard, icon: <LayoutDashboard aria-hidden="true" /> },
        { label: t('editProfile'), href: page.editBusiness, icon: <Pencil aria-hidden="true" /> },
      ]
    : [
        { label: t('mySchedule'), href: page.mySchedule, icon: <CalendarDays aria-hidden="true" /> },
        { label: t('myFavorites'), href: page.favorites, icon: <Heart aria-hidden="true" /> },
      ]
  const entries: MenuEntry[] = [
    ...own,
    { label: t('settings'), href: page.settings, icon: <Settings aria-hidden="true" /> },
    { label: t('logout'), name: 'logout', onSelect: () => void logOut(), icon: <LogOut aria-hidden="true" /> },
  ]
  return (
    <div className="grid min-w-0 md:-mr-3 md:justify-self-end">
      <Menu
        label={business ? t('businessAccount') : t('myProfile')}
        {...(business ? { shortLabel: t('businessShort') } : {})}
        icon={<Icon aria-hidden="true" className="size-[min(1.5rem,10vw)] max-md:my-0.5 md:size-5" />}
        entries={entries}
        buttonClassName={`max-md:min-h-16 max-md:w-full max-md:text-ink-soft max-md:[&>svg:last-child]:hidden ${onPhones}`}
        listClassName="max-md:top-auto max-md:right-2 max-md:bottom-full max-md:mb-2"
      />
    </div>
  )
}

/** What the guest saved, and the login links: at the right; on phones in the bar, the logins in a popover. */
function GuestWays({ pathname, isSaved }: { pathname: string; isSaved: boolean }) {
  const t = useTranslations('frame')
  const list = useRef<HTMLUListElement>(null)
  const ways = [
    { key: 'userLogin', href: page.userLogin, Icon: User },
    { key: 'businessLogin', href: page.businessLogin, Icon: Store },
  ] as const
  return (
    <div className="min-w-0 max-md:grid md:-mr-3 md:flex md:items-center md:justify-self-end">
      <a
        href={savedEventsPage}
        aria-label={t('saved')}
        aria-current={isSaved ? 'page' : undefined}
        className={`grid size-11 place-items-center rounded-6 text-ink hover:bg-well max-md:hidden ${isSaved ? 'bg-well' : ''}`}
      >
        <Bookmark aria-hidden="true" className="size-6" />
      </a>
      <a
        href={savedEventsPage}
        aria-current={isSaved ? 'page' : undefined}
        className={`needs-popover md:hidden ${destination}`}
      >
        <span className={tile}>
          <Bookmark aria-hidden="true" className="size-[min(1.5rem,10vw)]" />
        </span>
        {t('saved')}
      </a>
      <ul
        id="login-ways"
        ref={list}
        popover="auto"
        className="login-ways text-ink md:static md:flex md:w-auto md:gap-1 md:overflow-visible md:bg-transparent"
      >
        {ways.map(({ key, href, Icon }) => (
          <li key={key}>
            <a
              href={href}
              aria-current={pathname === href ? 'page' : undefined}
              onClick={() => list.current?.hidePopover?.()}
              className="flex min-h-11 items-center gap-3 rounded-6 px-3 font-semibold text-ink no-underline decoration-action decoration-3 underline-offset-8 hover:bg-well aria-[current]:underline md:max-lg:px-2 md:max-lg:text-sm md:max-xl:leading-tight xl:whitespace-nowrap"
            >
              <Icon aria-hidden="true" className="size-5 md:max-xl:hidden" />
              {t(key)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
