import { useLocale, useTranslations } from 'use-intl'
import { ask } from '../../../kit/browser/asking.ts'
import { callByFetch } from '../../../kit/browser/call-endpoint.ts'
import { Button } from '../../../kit/browser/ui/Button.tsx'
import { Select } from '../../../kit/browser/ui/Select.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../../kit/shared/refusal.ts'
import { page } from '../../../site-map.ts'
import { type AccountLanguage, changeMe } from '../../contract.ts'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { nameLength } from '../../policy.ts'
import { TextLink } from '../parts.tsx'
import { Row, RowForm, useFault, useOpenRow, useSettings } from './Row.tsx'

const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
] as const

export function NameRow() {
  const t = useTranslations('settings')
  const { me, changed, showNotice } = useSettings()
  const [open, setOpen] = useOpenRow('name')
  const common = useTranslations('forms')
  const business = me.role === 'business'
  const max = nameLength(me.role)
  return (
    <Row
      id="name"
      title={t('name.title')}
      value={me.display_name}
      text={
        business &&
        t.rich('name.business', { link: (chunks) => <TextLink href={page.editBusiness}>{chunks}</TextLink> })
      }
      action={!open && <Button onClick={() => setOpen(true)}>{t('change')}</Button>}
    >
      {open && (
        <RowForm
          submit={t('save')}
          sending={t('saving')}
          onCancel={() => setOpen(false)}
          send={async (form) => {
            const { display_name } = typedIn(form, 'display_name')
            if ([...display_name.trim()].length > max) return wrong({ display_name: common('tooLong', { max }) })
            const { answer, refused } = await ask(callByFetch, changeMe, {
              as: 'action',
              body: { display_name: display_name.trim() },
            })
            if (refused) return refused
            changed(answer.body)
            showNotice(t('saved'))
            setOpen(false)
            return null
          }}
        >
          <NameField max={max} />
        </RowForm>
      )}
    </Row>
  )
}

/** A fault found in the browser, in the form of a refusal by the server. */
const wrong = (fields: Record<string, string>): RefusedAnswer => ({
  status: 400,
  code: 'invalid_input',
  error: '',
  fields,
})

function NameField({ max }: { max: number }) {
  const t = useTranslations('settings')
  const { me } = useSettings()
  return (
    <TextField
      id="settings-name"
      name="display_name"
      label={t('name.title')}
      help={t('name.length', { max })}
      autoComplete="nickname"
      defaultValue={me.display_name}
      error={useFault('display_name')}
      required
    />
  )
}

export function LanguageRow() {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const locale = useLocale()
  const nameOf = (language: string) => languages.find(([key]) => key === language)?.[1] ?? language
  const [open, setOpen] = useOpenRow('language')
  return (
    <Row
      id="language"
      title={t('language.title')}
      value={
        me.language === locale
          ? nameOf(locale)
          : t('language.both', { account: nameOf(me.language), page: nameOf(locale) })
      }
      text={t('language.text')}
      action={!open && <Button onClick={() => setOpen(true)}>{t('change')}</Button>}
    >
      {open && (
        <RowForm
          submit={t('save')}
          sending={t('saving')}
          onCancel={() => setOpen(false)}
          send={async (form) => {
            const { language } = typedIn(form, 'language')
            const { refused } = await ask(callByFetch, changeMe, {
              as: 'action',
              body: { language: language as AccountLanguage },
            })
            if (refused) return refused
            await speak(language)
            return null
          }}
        >
          <Select id="settings-language" name="language" label={t('language.title')} defaultValue={me.language}>
            {languages.map(([key, name]) => (
              <option key={key} value={key} lang={key}>
                {name}
              </option>
            ))}
          </Select>
        </RowForm>
      )}
    </Row>
  )
}

/** Sets the language of the site and loads the page again. */
async function speak(language: string): Promise<void> {
  await fetch('/preferences', { method: 'POST', body: new URLSearchParams({ lang: language }), redirect: 'manual' })
  history.replaceState(history.state, '', location.pathname)
  location.reload()
}
