import 'texts:accountForms,staff'
import { useTranslations } from 'use-intl'
import { Badge } from '../../brand/Badge.tsx'
import { useKnownSession } from '../../accounts/web/session.ts'
import { Card, CardLink } from '../../kit/browser/ui/Card.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import { useAnswer } from '../../kit/browser/use-answer.ts'
import { listDesks } from '../contract.ts'
import { desks } from './desks.ts'
import { StaffPage } from './StaffPage.tsx'

/** The staff pages that this account may open, with the counts of open things. */
export default function AdminScreen() {
  const t = useTranslations('staff')
  const session = useKnownSession()
  const isIn = session !== 'guest' && session !== 'unknown'
  const { body, refused, again } = useAnswer(listDesks, isIn ? { as: 'background' } : null)
  return (
    <StaffPage title={t('overviewTitle')} current="overview" refused={refused} again={again}>
      {!body && !refused && <Waiting sizes={['h-40']} />}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {body
          ?.toSorted((a, b) => placeOf(a.key) - placeOf(b.key))
          .map(({ key, path, open }) => {
            const known = desks.find((desk) => desk.key === key)
            return (
              <Card key={key} as="li" className="grid content-start gap-2">
                <p className="flex flex-wrap items-center justify-between gap-2">
                  <CardLink href={path} className="figure text-xl wrap-anywhere">
                    {known ? t(known.label) : key}
                  </CardLink>
                  {open !== null && <Badge tone={open > 0 ? 'lantern' : 'plain'}>{t('openCount', { n: open })}</Badge>}
                </p>
                {known && <p className="text-sm text-ink-soft">{t(`desks.${known.key}`)}</p>}
              </Card>
            )
          })}
      </ul>
    </StaffPage>
  )
}

/** The order of the tabs; pages unknown here come first. */
const placeOf = (key: string) => desks.findIndex((desk) => desk.key === key)
