import CalendarDays from 'lucide-react/icons/calendar-days'
import Heart from 'lucide-react/icons/heart'
import LogOut from 'lucide-react/icons/log-out'
import Map from 'lucide-react/icons/map'
import MessageSquare from 'lucide-react/icons/message-square'
import Settings from 'lucide-react/icons/settings'
import Tag from 'lucide-react/icons/tag'
import User from 'lucide-react/icons/user'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Logo } from '../Logo.tsx'
import { Menu } from '../../kit/browser/ui/Menu.tsx'
import { RiverScene } from '../RiverScene.tsx'
import { SearchBar } from '../../kit/browser/ui/SearchBar.tsx'
import { WaveRule } from '../../kit/browser/ui/WaveRule.tsx'

const places = [
  ['Events', CalendarDays],
  ['Deals', Tag],
  ['Map', Map],
  ['Forum', MessageSquare],
] as const

export function Header() {
  return (
    <>
      <header className="sticky top-0 z-30 border-b-2 border-rule bg-page print-hidden">
        <div className="shell flex min-h-16 items-center justify-between gap-4">
          <a href="#x" className="-ml-1 flex min-h-11 items-center rounded-6 p-1 text-ink no-underline">
            <Logo />
          </a>
          <nav aria-label="Main" className="max-md:hidden">
            <ul className="flex gap-1">
              {places.map(([name]) => (
                <li key={name}>
                  <a
                    href={`#${name}`}
                    aria-current={name === 'Deals' ? 'page' : undefined}
                    className="flex min-h-11 items-center rounded-6 px-3 font-semibold text-ink no-underline decoration-action decoration-3 underline-offset-8 hover:underline aria-[current]:underline"
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div className="max-md:hidden">
            <Menu
              label="My Profile"
              icon={<User aria-hidden="true" className="size-5" />}
              entries={[
                { label: 'My Schedule', href: '#schedule', icon: <CalendarDays aria-hidden="true" /> },
                { label: 'My Favorites', href: '#favorites', icon: <Heart aria-hidden="true" /> },
                { label: 'Settings', href: '#settings', icon: <Settings aria-hidden="true" /> },
                { label: 'Logout', onSelect: () => {}, icon: <LogOut aria-hidden="true" /> },
              ]}
            />
          </div>
        </div>
      </header>
      <nav
        aria-label="Main, near the thumb"
        className="fixed inset-x-0 bottom-0 z-40 border-t-2 border-rule bg-page pb-[env(safe-area-inset-bottom)] md:hidden print-hidden"
      >
        <ul className="grid grid-cols-5">
          {[...places, ['Me', User] as const].map(([name, Icon]) => (
            <li key={name}>
              <a
                href={`#${name}`}
                aria-current={name === 'Deals' ? 'page' : undefined}
                className="group grid min-h-16 content-center justify-items-center gap-0.5 text-xs font-semibold text-ink-soft no-underline aria-[current]:text-ink"
              >
                <span className="rounded-6 px-3.5 py-0.5 group-aria-[current]:bg-action group-aria-[current]:text-on-action">
                  <Icon aria-hidden="true" className="size-6" />
                </span>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

export function Hero() {
  return (
    <section className="river relative overflow-clip border-b-2 border-rule bg-river">
      <RiverScene className="absolute top-0 left-1/2 h-full w-1/2 max-lg:hidden" />
      <div className="shell relative grid gap-6 pt-12 pb-28 md:pt-20 md:pb-40">
        <p className="figure text-lg text-lantern">Rheinklang 2025 · Basel · 22–24 August</p>
        <h1 className="poster-type max-w-[6.5em] text-paper">Experience the Magic of Music &amp; Deals</h1>
        <SearchBar className="max-w-xl" size="lg" label="Search deals" button="Search" placeholder="Fondue, vinyl" />
      </div>
      <WaveRule className="absolute inset-x-0 bottom-8 text-coral md:bottom-12 lg:hidden" />
    </section>
  )
}

export function Footer() {
  return (
    <footer className="river bg-deep pb-24 text-on-deep md:pb-0">
      <WaveRule className="text-coral" />
      <div className="shell flex flex-wrap items-end justify-between gap-8 py-10">
        <div className="grid gap-2">
          <Logo className="text-2xl" />
          <p className="text-on-deep-soft">Three nights of music along the Rhine.</p>
        </div>
        <ul className="flex flex-wrap gap-x-6">
          {['Terms of Use', 'Privacy', 'Help Center'].map((name) => (
            <li key={name}>
              <a href="#x" className="link flex min-h-11 items-center text-on-deep">
                {name}
              </a>
            </li>
          ))}
        </ul>
        <Button variant="secondary">Paper or river</Button>
      </div>
    </footer>
  )
}
