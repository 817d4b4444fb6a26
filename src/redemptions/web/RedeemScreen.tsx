import 'texts:accountForms,devices,redeem'
import { useCallback, useMemo, useState, type ReactNode } from 'react'
import Lock from 'lucide-react/icons/lock'
import { useTranslations } from 'use-intl'
import { NoBusinessHere, useBusinessHere } from '../../accounts/web/guards.tsx'
import { LateScript, NoScript } from '../../accounts/web/parts.tsx'
import { PageHead } from '../../kit/browser/PageHead.tsx'
import { leaveSession } from '../../accounts/web/session.ts'
import { Button } from '../../kit/browser/ui/Button.tsx'
import { AccountPage } from '../../kit/browser/ui/Page.tsx'
import { Waiting } from '../../kit/browser/ui/Skeleton.tsx'
import type { Redemption } from '../contract.ts'
import { Devices } from './Devices.tsx'
import { ScansToSend } from './ScanNotices.tsx'
import { RecentRedemptions } from './RecentRedemptions.tsx'
import { Redeeming, type Reading } from './Redeeming.tsx'
import { Redemptions } from './Redemptions.tsx'
import { tillOfBusiness, tillOfDevice } from './till.ts'
import { tillStore, type TillDevice, type Shift } from './till-store.ts'
import { Unlock } from './Unlock.tsx'
import { lockedTill } from './unsent-scans.ts'

/** The same document for everybody; private content is loaded in the browser. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** For business logins, and for redeem-only devices. */
export default function RedeemScreen() {
  const t = useTranslations('redeem')
  const { known, businessId } = useBusinessHere()
  const [device, setDevice] = useDevice(known)
  const [isRemoved, setRemoved] = useState(false)
  return (
    <>
      <PageHead title={t('title')} description={t('description')} hidden />
      {businessId !== null ? (
        <AsBusiness key={businessId} businessId={businessId} device={device} setDevice={setDevice} />
      ) : device?.secret ? (
        <AsDevice
          device={device}
          removed={() => {
            tillStore.shift.set(null)
            tillStore.recent.set(null)
            setDevice(null)
            setRemoved(true)
          }}
        />
      ) : (
        <Sheet>
          {known ? (
            <div className="grid content-start gap-5">
              <NoBusinessHere text={t(isRemoved ? 'removed' : 'guest')} />
              <ScansToSend of={null} until="login" />
            </div>
          ) : (
            <>
              <NoScript kind="redeem" />
              <LateScript kind="page" />
              <Waiting sizes={['h-72']} />
            </>
          )}
        </Sheet>
      )}
    </>
  )
}

/** The registration of this device; read in the browser only, hence `known`. */
function useDevice(known: boolean) {
  const [device, setDevice] = useState<TillDevice | null | undefined>()
  const set = useCallback((next: TillDevice | null) => {
    tillStore.device.set(next)
    setDevice(next)
  }, [])
  return [device === undefined ? (known ? tillStore.device.get() : null) : device, set] as const
}

function Sheet({ name, action, children }: { name?: string | undefined; action?: ReactNode; children: ReactNode }) {
  const t = useTranslations('redeem')
  return (
    <AccountPage title={t('title')} lead={name && <span className="figure text-lantern">{name}</span>} beside={action}>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        {children}
      </div>
    </AccountPage>
  )
}

function AsBusiness({
  businessId,
  device,
  setDevice,
}: {
  businessId: string
  device: TillDevice | null
  setDevice: (device: TillDevice | null) => void
}) {
  const till = useMemo(() => tillOfBusiness(businessId, device), [businessId, device])
  const [changes, setChanges] = useState(0)
  return (
    <Sheet>
      <Redeeming key={till.deviceId} till={till} changed={() => setChanges((count) => count + 1)} />
      <div className="lg:row-span-2">
        <Redemptions changes={changes} undo={till.undo} />
      </div>
      <div>
        <Devices
          businessId={businessId}
          device={device?.business_id === businessId ? device : null}
          registered={setDevice}
          locked={async (redeemOnly) => {
            await leaveSession()
            // the next page is short, and the form was far down this one
            scrollTo({ top: 0, behavior: 'instant' })
            setDevice(redeemOnly)
          }}
        />
      </div>
    </Sheet>
  )
}

/** The server accepts a checked code for so long. */
const unredeemedMs = 5 * 60_000

function AsDevice({ device, removed }: { device: TillDevice; removed: () => void }) {
  const t = useTranslations('redeem')
  const [shift, setShift] = useState<Shift | null>(runningShift)
  const [recent, setRecent] = useState(() => tillStore.recent.get() ?? [])
  const token = shift?.till_token
  const [left, setLeft] = useState<Reading | null>(null)
  const begin = useCallback((next: Shift | null) => {
    tillStore.shift.set(next)
    setShift(next)
  }, [])
  const end = useCallback(
    (left: Reading | null) => {
      setLeft(left)
      begin(null)
    },
    [begin],
  )
  const till = useMemo(() => (token ? tillOfDevice(device, token, () => end(null)) : null), [device, token, end])
  const changed = (redemption: Redemption | null) => {
    if (!redemption) return
    const { redemption_id, deal_name, amount_chf, undo_until, state } = redemption
    const others = recent.filter((each) => each.redemption_id !== redemption_id)
    const before = recent.find((each) => each.redemption_id === redemption_id)
    const entry = {
      redemption_id,
      deal_name: deal_name ?? '–',
      amount_chf,
      undo_until: undo_until ?? before?.undo_until ?? redemption.recorded_at,
      undone: state === 'undone',
    }
    const latest = [entry, ...others].slice(0, 20)
    tillStore.recent.set(latest)
    setRecent(latest)
  }
  if (!till)
    return (
      <Sheet name={device.name}>
        <Unlock
          device={device}
          left={<ScansToSend of={lockedTill(device)} until="unlock" />}
          opened={(next) => {
            // too late: the visitor has left since
            if (left && Date.now() - Date.parse(left.scanned_at) > unredeemedMs) setLeft(null)
            begin(next)
          }}
          removed={removed}
        />
      </Sheet>
    )
  return (
    <Sheet
      name={[shift?.business_name, device.name].filter(Boolean).join(' · ')}
      action={
        <Button
          onClick={() => end(null)}
          icon={<Lock aria-hidden="true" className="size-5" />}
          className="border-on-deep text-on-deep"
        >
          {t('lock')}
        </Button>
      }
    >
      <Redeeming till={till} changed={changed} left={left} over={end} />
      <RecentRedemptions redemptions={recent} undo={till.undo} changed={changed} />
    </Sheet>
  )
}

/** Null: no shift, or it ended an hour ago by this device's clock, which may be wrong; the server decides. */
function runningShift(): Shift | null {
  const shift = tillStore.shift.get()
  return shift && Date.parse(shift.expires_at) > Date.now() - 60 * 60_000 ? shift : null
}
