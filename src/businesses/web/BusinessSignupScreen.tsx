import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { CircleHelp, ImagePlus, X } from 'lucide-react'
import { Form, useLoaderData, useLocation, type ActionFunctionArgs, type LoaderFunctionArgs } from 'react-router'
import { useTranslations } from 'use-intl'
import { AccountPage, OtherWays } from '../../accounts/web/AccountPoster.tsx'
import { AlreadyIn } from '../../accounts/web/AlreadyIn.tsx'
import { EmailField, NewPassword } from '../../accounts/web/fields.tsx'
import { formOf, SubmitButton, typedIn, usePageForm } from '../../accounts/web/forms.tsx'
import { TextLink } from '../../accounts/web/parts.tsx'
import {
  AccountCreated,
  HumanCheck,
  SignupFailed,
  signUpHere,
  signUpThere,
  useSignup,
  type SignupFailure,
} from '../../accounts/web/signup.tsx'
import { localeOf, siteOptions } from '../../accounts/web/site-options.ts'
import { useHydrated } from '../../kit/browser/hydrated.ts'
import { hasHappened } from '../../kit/browser/happened.ts'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { FieldError } from '../../kit/browser/ui/Field.tsx'
import { StarShape } from '../../brand/Badge.tsx'
import { TextField } from '../../kit/browser/ui/TextField.tsx'
import { fitInto, scaledPicture, sentPictureMaxSide } from '../../kit/browser/scaled-picture.ts'
import { useKeptFields } from '../../kit/browser/use-kept-fields.ts'
import { isOpen } from '../../open-rooms.ts'
import { page } from '../../site-map.ts'
import { signUpBusiness } from './calls.ts'
import { logoMaxBytes } from './limits.ts'

const tiers = ['FREE', 'PREMIUM'] as const
/** Their values are kept while one looks elsewhere; a password never is, and a file cannot be. */
const keptNames = ['business_name', 'email', 'address', 'subscription_tier'] as const
/** Longer side of the preview: 96 px on a sharp screen. */
const previewPixels = 288
const logoTypes = ['image/png', 'image/jpeg', 'image/webp']

async function load({ context, request }: LoaderFunctionArgs) {
  const query = new URL(request.url).searchParams
  const tier = tiers.find((each) => each === query.get('tier')?.toUpperCase()) ?? 'FREE'
  return { ...(await siteOptions(context)), created: query.has('created') && hasHappened(request), tier }
}
export { load as loader, load as clientLoader }

async function wish({ context, request }: ActionFunctionArgs) {
  const form = await formOf(request)
  const typed = typedIn(form, 'business_name', 'email', 'address', 'subscription_tier')
  const { password = '' } = typedIn(form, 'password')
  const logo = form.get('logo')
  return {
    body: {
      ...typed,
      email: typed['email']!.trim(),
      subscription_tier: typed['subscription_tier'] || 'FREE',
      password,
      language: localeOf(context),
    },
    files: logo instanceof Blob && logo.size > 0 ? { logo } : ({} as Record<string, Blob>),
    typed,
  }
}

export async function clientAction(args: ActionFunctionArgs) {
  const { files, ...rest } = await wish(args)
  const sent = files['logo'] ? { logo: await scaledPicture(files['logo']) } : files
  return signUpHere(signUpBusiness, args.request, { ...rest, files: sent })
}
export async function action(args: ActionFunctionArgs) {
  return signUpThere(args.context, signUpBusiness, { request: args.request, ...(await wish(args)) })
}

export default function BusinessSignupScreen() {
  const t = useTranslations('businessSignup')
  const { demoMail } = useLoaderData<typeof load>()
  const { created, failure, next, login, hasQuery } = useSignup(page.businessLogin)
  return (
    <AccountPage
      overline={t('banner')}
      title={t('title')}
      lead={t('lead')}
      motif="awning"
      tight
      soon={!isOpen('merchants')}
    >
      <PageHead title={t('title')} description={t('description')} address={page.businessSignup} hidden={hasQuery} />
      {created ? (
        <AccountCreated
          kind="business"
          form={page.businessSignup}
          login={login}
          demoMail={demoMail}
          soon={t.rich('doneText', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
          link={t.rich('doneLink', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}
        />
      ) : (
        <>
          <AlreadyIn kind="business">
            {t.rich('already', { link: (chunks) => <TextLink href={next ?? page.dashboard}>{chunks}</TextLink> })}
          </AlreadyIn>
          <SignupForm failure={failure} />
          <OtherWays>
            <p>{t.rich('have', { link: (chunks) => <TextLink href={login}>{chunks}</TextLink> })}</p>
          </OtherWays>
        </>
      )}
    </AccountPage>
  )
}

function SignupForm({ failure }: { failure: SignupFailure | undefined }) {
  const t = useTranslations('businessSignup')
  const say = useTranslations('signup')
  const { search } = useLocation()
  const { tier } = useLoaderData<typeof load>()
  const { form, faults, sending } = usePageForm(page.businessSignup, failure)
  const typed = failure?.typed
  useKeptFields(form.ref, page.businessSignup, keptNames, typed)
  return (
    <Form {...form} encType="multipart/form-data" action={page.businessSignup + search} aria-label={t('title')}>
      <Support />
      {failure && !sending && <SignupFailed refused={failure.refused} />}
      <TextField
        id="signup-business-name"
        name="business_name"
        label={t('name')}
        help={t('nameHelp')}
        autoComplete="organization"
        defaultValue={typed?.['business_name']}
        error={faults['business_name']}
        required
      />
      <EmailField id="signup-email" help={t('emailHelp')} defaultValue={typed?.['email']} error={faults['email']} />
      <NewPassword id="signup-password" error={faults['password']} own={['email', 'business_name']} />
      <TextField
        id="signup-address"
        name="address"
        label={t('address')}
        help={t('addressHelp')}
        autoComplete="street-address"
        defaultValue={typed?.['address']}
        error={faults['address']}
      />
      <TierChoice chosen={typed?.['subscription_tier'] || tier} error={faults['subscription_tier']} />
      <LogoField error={faults['logo']} />
      <HumanCheck sending={sending} />
      <SubmitButton sending={sending} sendingText={say('submitting')} native>
        {t('submit')}
      </SubmitButton>
      <p className="text-sm text-ink-soft">
        {t.rich('terms', {
          terms: (chunks) => <TextLink href={page.terms}>{chunks}</TextLink>,
          privacy: (chunks) => <TextLink href={page.privacy}>{chunks}</TextLink>,
        })}
      </p>
    </Form>
  )
}

/** Two sheets to choose between; Premium carries the star of everything paid. */
function TierChoice({ chosen, error }: { chosen: string; error: string | undefined }) {
  const t = useTranslations('businessSignup')
  return (
    <fieldset className="grid gap-1.5">
      <legend className="pb-1.5 text-sm font-semibold">{t('tier')}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {tiers.map((tier) => (
          <label
            key={tier}
            htmlFor={`signup-tier-${tier}`}
            className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-1 rounded-6 border-2 border-hair bg-surface p-4 has-checked:border-ink has-checked:bg-well has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          >
            <input
              id={`signup-tier-${tier}`}
              type="radio"
              name="subscription_tier"
              value={tier}
              defaultChecked={tier === chosen}
              aria-describedby={error ? 'signup-tier-error' : undefined}
              className="mt-0.5 grid size-6 appearance-none place-items-center rounded-full border-2 border-rule bg-surface after:size-2.5 after:rounded-full after:bg-on-action after:opacity-0 checked:bg-action checked:after:opacity-100"
            />
            <span className="figure flex flex-wrap items-center gap-x-2 text-lg leading-tight">
              {t(`tiers.${tier}.name`)}
              {tier === 'PREMIUM' && <StarShape className="size-5 fill-lantern-text" />}
            </span>
            <span className="col-start-2 font-semibold">{t(`tiers.${tier}.price`)}</span>
            <span className="col-start-2 text-sm text-ink-soft">{t(`tiers.${tier}.text`)}</span>
          </label>
        ))}
      </div>
      <FieldError id="signup-tier-error">{error}</FieldError>
    </fieldset>
  )
}

/** A picture with its preview; what can be no logo is said before it is sent, where a script is there to look. */
function LogoField({ error }: { error: string | undefined }) {
  const t = useTranslations('businessSignup')
  const input = useRef<HTMLInputElement>(null)
  const [picture, setPicture] = useState<ImageBitmap | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  const choose = () => {
    const file = input.current?.files?.[0]
    setPicture(null)
    setFault(null)
    if (!file) return
    if (!logoTypes.includes(file.type)) return refuse(t('logoNoImage'))
    createImageBitmap(file).then(
      async (read) => {
        const isSentAsItIs = !fitInto(read, sentPictureMaxSide).isScaled
        const { width, height } = fitInto(read, previewPixels)
        const preview = await createImageBitmap(read, { resizeWidth: width, resizeHeight: height })
        read.close()
        if (input.current?.files?.[0] !== file) return preview.close()
        if (isSentAsItIs && file.size > logoMaxBytes) return refuse(t('logoTooLarge'))
        setPicture(preview)
      },
      () => refuse(t('logoNoImage')),
    )
  }
  const refuse = (text: string) => {
    if (input.current) input.current.value = ''
    setFault(text)
  }
  // one that was chosen before the page came alive
  const lookAtChosen = useEffectEvent(() => {
    if (input.current?.files?.[0]) choose()
  })
  useEffect(() => lookAtChosen(), [])
  const wrong = fault ?? error
  return (
    <div className="grid gap-1.5">
      <label htmlFor="signup-logo" className="text-sm font-semibold">
        {t('logo')}
      </label>
      <div className="flex flex-wrap items-center gap-4">
        <span className="relative grid size-24 shrink-0 place-items-center overflow-clip rounded-6 border-2 border-rule bg-paper text-night">
          {picture ? (
            <LogoPreview picture={picture} label={t('logoAlt')} />
          ) : (
            <ImagePlus aria-hidden="true" className="size-8" />
          )}
        </span>
        <div className="grid min-w-0 flex-[1_1_9rem] gap-2">
          <input
            ref={input}
            id="signup-logo"
            type="file"
            name="logo"
            accept={logoTypes.join(',')}
            onChange={choose}
            aria-invalid={wrong ? true : undefined}
            aria-describedby={wrong ? 'signup-logo-error signup-logo-help' : 'signup-logo-help'}
            className="w-full min-w-0 text-sm file:mr-3 file:min-h-11 file:rounded-6 file:border-2 file:border-solid file:border-rule file:bg-surface file:px-4 file:font-semibold file:text-ink hover:file:bg-well"
          />
          {picture && (
            <Button
              variant="quiet"
              icon={<X aria-hidden="true" className="size-5" />}
              className="justify-self-start"
              onClick={() => {
                if (input.current) input.current.value = ''
                choose()
              }}
            >
              {t('logoRemove')}
            </Button>
          )}
        </div>
      </div>
      <FieldError id="signup-logo-error">{wrong}</FieldError>
      <p id="signup-logo-help" className="text-sm text-ink-soft">
        {t('logoHelp')}
      </p>
    </div>
  )
}

/** Drawn on a canvas: so the page needs to trust no address but its own, and a broken file is known at once. */
function LogoPreview({ picture, label }: { picture: ImageBitmap; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(picture, 0, 0)
  }, [picture])
  return (
    <canvas
      ref={canvas}
      {...{ role: 'img', 'aria-label': label }}
      width={picture.width}
      height={picture.height}
      className="absolute inset-0 size-full object-contain"
    />
  )
}

/** "Need Help": answers to what stops people here, and the way to a person. */
function Support() {
  const t = useTranslations('businessSignup')
  const common = useTranslations('accountForms')
  const [open, setOpen] = useState(false)
  const alive = useHydrated()
  const look = <CircleHelp aria-hidden="true" className="size-5" />
  return (
    <div className="-mb-1 flex justify-end">
      {alive ? (
        <Button onClick={() => setOpen(true)} icon={look} aria-haspopup="dialog">
          {t('needHelp')}
        </Button>
      ) : (
        <ButtonLink href={page.help} icon={look}>
          {t('needHelp')}
        </ButtonLink>
      )}
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t('support.title')}
        closeLabel={common('close')}
        actions={
          <>
            <ButtonLink href={`${page.contact}?topic=merchant`} variant="primary">
              {t('support.contact')}
            </ButtonLink>
            <ButtonLink href={page.help}>{t('support.help')}</ButtonLink>
          </>
        }
      >
        <dl className="grid gap-4">
          {(['1', '2', '3', '4'] as const).map((number) => (
            <div key={number} className="grid gap-0.5">
              <dt className="font-semibold">{t(`support.q${number}`)}</dt>
              <dd className="text-ink-soft">{t(`support.a${number}`)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </div>
  )
}
