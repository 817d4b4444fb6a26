import 'texts:contact'
import { useEffect, useRef } from 'react'
import {
  data,
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from 'react-router'
import { useTranslations } from 'use-intl'
import { ask } from '../../kit/browser/ask.ts'
import { hasHappened, happenedAt } from '../../kit/browser/happened.ts'
import { newKey } from '../../kit/browser/new-key.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { storeFormDraft, readFormDraft } from '../../kit/browser/form-drafts.ts'
import { useFormDraft } from '../../kit/browser/use-form-draft.ts'
import type { CallInput } from '../../kit/shared/endpoint.ts'
import { page } from '../../site-map.ts'
import { contactTopics } from '../limits.ts'
import { ContactPoster } from './ContactPoster.tsx'
import { Sent } from './Sent.tsx'
import { sendMessage } from '../contract.ts'

type Topic = NonNullable<CallInput<typeof sendMessage>['body']['topic']>

const fieldNames = ['name', 'email', 'topic', 'message'] as const
/** Sent with the message, so that a retry gets the same ticket. */
const keyName = 'idempotency_key'

/** RK-7F3K-29QD. The page shows the number from its address, so a link must not put any other text there. */
const ticketForm = /^RK-[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/

/** `?ticket=`: of the message just sent. `?topic=`: preselected by a link. */
async function load({ request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const ticket = query.get('ticket') ?? ''
  return {
    ticket: ticketForm.test(ticket) && hasHappened(request) ? ticket : null,
    topic: contactTopics.find((topic) => topic === query.get('topic')) ?? null,
    hidden: query.has('ticket'),
    key: newKey(),
  }
}
export { load as loader, load as clientLoader }

/** Success redirects, so that a reload does not send twice. A refusal returns everything typed. */
async function send({ context, request }: ActionFunctionArgs) {
  return sendForm(context, await request.formData().catch(() => new FormData()))
}
export { send as action }

/** Stores the key in the tab beside the typed text: sent again after a reload, the message keeps its key and its ticket. */
export async function clientAction({ context, request }: ActionFunctionArgs) {
  const form = await request.formData()
  const key = readFormDraft(page.contact)[keyName] ?? textOf(form.get(keyName))
  form.set(keyName, key)
  storeFormDraft(page.contact, { ...readFormDraft(page.contact), [keyName]: key })
  return sendForm(context, form)
}

async function sendForm(context: ActionFunctionArgs['context'], form: FormData) {
  const key = textOf(form.get(keyName))
  const typed = Object.fromEntries(fieldNames.map((name) => [name, textOf(form.get(name))])) as Record<
    (typeof fieldNames)[number],
    string
  >
  const body = { ...typed, topic: typed.topic as Topic, [keyName]: key }
  const { answer, refused } = await ask(context, sendMessage, { as: 'background', body })
  if (refused) return data({ refused, typed, key }, { status: refused.status || 503 })
  return happenedAt(context, `${page.contact}?ticket=${encodeURIComponent(answer.body.ticket)}`)
}

/** Forms send line ends as CR LF. */
function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
}

export default function ContactScreen() {
  const t = useTranslations('contact')
  const { ticket, hidden } = useLoaderData<typeof load>()
  return (
    <div data-page="poster" className="grid lg:min-h-[calc(100dvh-8rem)] lg:grid-cols-[minmax(0,1fr)_minmax(0,0.8fr)]">
      <div className="grid w-full content-start gap-7 px-[clamp(min(1rem,5vw),3.4vw,2.5rem)] py-10 max-lg:mx-auto max-lg:max-w-2xl md:py-16 lg:pr-16 lg:pl-[max(2.5rem,calc((100vw-80rem)/2))]">
        <PageHead
          title={t(ticket ? 'sent' : 'title')}
          description={t('description')}
          address={page.contact}
          hidden={hidden}
          kind="ContactPage"
        />
        {ticket ? (
          <Sent ticket={ticket} />
        ) : (
          <>
            <div className="grid gap-4">
              <h1 className="poster-type">{t('title')}</h1>
              <p className="max-w-[40ch] text-lg">{t('lead')}</p>
            </div>
            <MessageForm />
          </>
        )}
      </div>
      <ContactPoster />
    </div>
  )
}

/** Without JavaScript the browser focuses the element by itself; with it, the effect below does. */
const focused = { tabIndex: -1, autoFocus: true }

function MessageForm() {
  const t = useTranslations('contact')
  const { topic, key } = useLoaderData<typeof load>()
  const outcome = useActionData<typeof sendForm>()
  const sending = useNavigation().formAction === page.contact
  const wrong = sending ? {} : (outcome?.refused.fields ?? {})
  const typed = outcome?.typed
  const form = useRef<HTMLFormElement>(null)
  const failure = useRef<HTMLDivElement>(null)
  useFormDraft(form, page.contact, fieldNames, typed)
  const firstWrong = fieldNames.find((name) => wrong[name])

  useEffect(() => {
    const name = fieldNames.find((field) => outcome?.refused.fields?.[field])
    const place = name ? form.current?.querySelector<HTMLElement>(`[name="${name}"]`) : failure.current
    place?.focus()
  }, [outcome])

  /** Props of a control. `autoFocus` is for pages without JavaScript: the cursor starts in the first wrong field. */
  const control = (name: (typeof fieldNames)[number]) => ({
    id: `contact-${name}`,
    name,
    error: wrong[name],
    autoFocus: firstWrong === name,
    defaultValue: typed?.[name] ?? '',
  })

  return (
    // noValidate: the server's messages appear beside the fields, in the language of the page
    <Form ref={form} method="post" action={page.contact} noValidate className="grid gap-6" aria-label={t('title')}>
      <input type="hidden" name={keyName} value={outcome?.key || key} />
      {firstWrong && (
        <div className="while-faulty">
          <Notice kind="error">{t('check', { count: Object.keys(wrong).length })}</Notice>
        </div>
      )}
      <TextField {...control('name')} label={t('name')} autoComplete="name" required />
      <TextField
        {...control('email')}
        label={t('email')}
        help={t('emailHelp')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Select {...control('topic')} label={t('topic')} defaultValue={typed?.topic || topic || 'visitor'}>
        {contactTopics.map((key) => (
          <option key={key} value={key}>
            {t(`topics.${key}`)}
          </option>
        ))}
      </Select>
      <TextArea {...control('message')} label={t('message')} help={t('messageHelp')} rows={7} required />
      {outcome && !sending && !firstWrong && (
        // Beside the button, which is pressed again for a retry.
        <div ref={failure} {...focused}>
          <Notice kind={outcome.refused.status === 0 ? 'offline' : 'warn'} role="alert">
            {outcome.refused.status === 0 ? t('offline') : outcome.refused.error || t('failed')}
          </Notice>
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <Button
          type="submit"
          variant="primary"
          size="lg"
          loading={sending}
          loadingText={t('sending')}
          className="max-sm:w-full"
        >
          {t('send')}
        </Button>
        <p className="min-w-[min(14rem,100%)] flex-1 text-sm text-ink-soft">
          {t.rich('privacy', {
            privacy: (chunks) => (
              <a href={`${page.privacy}#contact-form`} className="link">
                {chunks}
              </a>
            ),
          })}
        </p>
      </div>
    </Form>
  )
}
