import { useLocale, useTranslations } from 'use-intl'
import { Select } from '../../../kit/browser/ui/Select.tsx'
import { TextField } from '../../../kit/browser/ui/TextField.tsx'
import { page } from '../../../site-map.ts'
import { changeMe } from '../../contract.ts'
import { typedIn } from '../../../kit/browser/forms/typed.ts'
import { nameLength } from '../../policy.ts'
import { TextLink } from '../parts.tsx'
import { FormRow, useSettings } from './Row.tsx'

const languages = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['fr', 'Français'],
] as const

export function NameRow() {
  const t = useTranslations('settings')
  const common = useTranslations('forms')
  const { me, changed, showNotice } = useSettings()
  const max = nameLength(me.role)
  const nameIn = (form: FormData) => typedIn(form, 'display_name').display_name.trim()
  return (
    <FormRow
      id="name"
      title={t('name.title')}
      value={me.display_name}
      text={
        me.role === 'business' &&
        t.rich('name.business', { link: (chunks) => <TextLink href={page.editBusiness}>{chunks}</TextLink> })
      }
      open={t('change')}
      submit={t('save')}
      endpoint={changeMe}
      check={(form) => ([...nameIn(form)].length > max ? { display_name: common('tooLong', { max }) } : null)}
      body={(form) => ({ display_name: nameIn(form) })}
      onDone={(answer, close) => {
        changed(answer)
        showNotice(t('saved'))
        close()
      }}
    >
      {({ display_name }) => (
        <TextField
          name="display_name"
          label={t('name.title')}
          help={t('name.length', { max })}
          autoComplete="nickname"
          defaultValue={me.display_name}
          error={display_name}
          required
        />
      )}
    </FormRow>
  )
}

export function LanguageRow() {
  const t = useTranslations('settings')
  const { me } = useSettings()
  const locale = useLocale()
  const nameOf = (language: string) => languages.find(([key]) => key === language)?.[1] ?? language
  return (
    <FormRow
      id="language"
      title={t('language.title')}
      value={
        me.language === locale
          ? nameOf(locale)
          : t('language.both', { account: nameOf(me.language), page: nameOf(locale) })
      }
      text={t('language.text')}
      open={t('change')}
      submit={t('save')}
      endpoint={changeMe}
      body={(form) => typedIn(form, 'language')}
      onDone={({ language }) => switchLanguage(language)}
    >
      {() => (
        <Select name="language" label={t('language.title')} defaultValue={me.language}>
          {languages.map(([key, name]) => (
            <option key={key} value={key} lang={key}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </FormRow>
  )
}

/** Sets the language of the site and loads the page again. */
async function switchLanguage(language: string): Promise<void> {
  await fetch('/preferences', { method: 'POST', body: new URLSearchParams({ lang: language }), redirect: 'manual' })
  history.replaceState(history.state, '', location.pathname)
  location.reload()
}
