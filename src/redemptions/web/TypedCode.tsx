import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import type { RefusedAnswer } from '../../kit/shared/refusal.ts'
import type { GivenCode } from './till.ts'

/** The field for typed codes, also for hardware scanners, which type and press Enter. */
export function TypedCode({
  focused,
  checking,
  refused,
  canStore,
  onRead,
}: {
  focused: boolean
  checking: boolean
  refused: RefusedAnswer | null
  canStore: boolean
  onRead: (given: GivenCode) => void
}) {
  const t = useTranslations('redeem')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // hardware scanners type into the focused field; on phones the keyboard would cover the camera
  useEffect(() => {
    if (focused && matchMedia('(pointer: fine)').matches) input.current?.focus()
  }, [focused])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = typed.trim()
    const digits = text.replace(/\s/g, '')
    const isPayload = /^RK1:/i.test(text)
    if (!isPayload && !/^\d{6}$/.test(digits)) return setWrong(true)
    setWrong(false)
    setTyped('')
    onRead(isPayload ? { payload: text } : { code: digits })
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4" aria-label={t('typeIt')}>
      {refused && (
        <Notice kind={refused.status === 0 ? 'offline' : 'error'}>
          {refused.status === 0 ? t(canStore ? 'offline' : 'offlineUnregistered') : refused.error || t('failed')}
        </Notice>
      )}
      <TextField
        ref={input}
        label={t('code')}
        help={t('codeHelp')}
        error={isWrong ? t('codeWrong') : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setWrong(false)
        }}
        inputMode="numeric"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
      />
      <Button type="submit" size="lg" wide loading={checking} loadingText={t('checking')}>
        {t('check')}
      </Button>
    </form>
  )
}
