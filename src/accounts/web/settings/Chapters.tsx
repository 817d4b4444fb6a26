import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Banners } from './Banners.tsx'
import { LanguageRow, NameRow } from './Profile.tsx'
import { DeleteRow, ExportRow, LinkRow, LocationRow, NewsletterRow, ReminderRow } from './Rest.tsx'
import { useSettings } from './Row.tsx'
import { SecondFactorRow } from './SecondFactor.tsx'
import { EmailRow, PasswordRow, SessionsRow } from './Security.tsx'

/** All settings, with links to each. */
export function Chapters({ notices }: { notices: ReactNode }) {
  const t = useTranslations('settings')
  const { me, kind } = useSettings()
  const chapters = [
    {
      key: 'profile',
      rows: [
        // first: needed at the counter
        ...(me.role === 'user' ? [['codes', t('codes.title'), <LinkRow key="codes" to="codes" />] as const] : []),
        ['name', t('name.title'), <NameRow key="name" />],
        ['language', t('language.title'), <LanguageRow key="language" />],
      ],
    },
    {
      key: 'security',
      rows: [
        ['email', t('email.title'), <EmailRow key="email" />],
        ['password', t('password.title'), <PasswordRow key="password" />],
        ['second-factor', t('factor.title'), <SecondFactorRow key="factor" />],
        ['sessions', t('sessions.title'), <SessionsRow key="sessions" />],
      ],
    },
    {
      key: 'notices',
      rows: [
        ...(notices ? [['notifications', t('notifications'), notices] as const] : []),
        ['newsletter', t('newsletter.title'), <NewsletterRow key="newsletter" />],
        ...(me.role === 'business' ? [] : [['reminder', t('reminder.title'), <ReminderRow key="reminder" />] as const]),
      ],
    },
    {
      key: 'data',
      rows: [
        ...(['moderator', 'admin'].includes(me.role)
          ? [['team', t('team.title'), <LinkRow key="team" to="team" />] as const]
          : []),
        ['location', t('location.title'), <LocationRow key="location" />],
        ['export', t('export.title'), <ExportRow key="export" />],
        ['delete', t('delete.title'), <DeleteRow key="delete" />],
      ],
    },
  ] as const
  return (
    <>
      <nav aria-label={t('onThisPage')} className="max-lg:hidden lg:sticky lg:top-24 lg:self-start">
        <ul className="-ml-3 grid">
          {chapters.map(({ key, rows }) => (
            <li key={key} className="pb-3">
              <p className="px-3 py-1.5 font-semibold">{t(`chapters.${key}`)}</p>
              <ul>
                {rows.map(([id, title]) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      className="flex min-h-9 items-center rounded-6 px-3 text-ink-soft no-underline decoration-action decoration-3 underline-offset-4 hover:text-ink hover:underline"
                    >
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 gap-12">
        <Banners />
        {chapters.map(({ key, rows }) => (
          <section key={key} aria-labelledby={`chapter-${key}`} className="grid gap-5">
            <h2 id={`chapter-${key}`} className="border-b-2 border-rule pb-2">
              {t(`chapters.${key}`)}
            </h2>
            <div>{rows.map(([, , row]) => row)}</div>
          </section>
        ))}
        {me.google_linked && <p className="text-sm text-ink-soft">{t('google.linked', { kind })}</p>}
      </div>
    </>
  )
}
