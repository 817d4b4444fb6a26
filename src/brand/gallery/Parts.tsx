import { useState } from 'react'
import List from 'lucide-react/icons/list'
import Map from 'lucide-react/icons/map'
import { Breadcrumb } from '../../kit/browser/ui/Breadcrumb.tsx'
import { Button, ButtonLink } from '../../kit/browser/ui/Button.tsx'
import { Card } from '../../kit/browser/ui/Card.tsx'
import { Checkbox, Radio } from '../../kit/browser/ui/Checkbox.tsx'
import { Dialog } from '../../kit/browser/ui/Dialog.tsx'
import { EmptyState } from '../../kit/browser/ui/EmptyState.tsx'
import { LoadingOverlay } from '../../kit/browser/ui/LoadingOverlay.tsx'
import { Notice } from '../../kit/browser/ui/Notice.tsx'
import { OpenState } from '../../kit/browser/ui/OpenState.tsx'
import { Pagination } from '../../kit/browser/ui/Pagination.tsx'
import { Price } from '../../kit/browser/ui/Price.tsx'
import { RatingInput } from '../RatingInput.tsx'
import { Segments, Tabs } from '../../kit/browser/ui/Segments.tsx'
import { Select } from '../../kit/browser/ui/Select.tsx'
import { CardSkeletons } from '../../kit/browser/ui/Skeleton.tsx'
import { TextArea } from '../../kit/browser/ui/TextArea.tsx'
import { PasswordField, TextField } from '../../kit/browser/ui/TextField.tsx'
import { Toast, useToast } from '../../kit/browser/ui/Toast.tsx'

export function Parts() {
  const [asking, ask] = useState(false)
  const toast = useToast(60_000)
  const [stars, setStars] = useState(3)
  return (
    <section className="shell grid gap-10 py-12">
      <h2 className="text-3xl">Parts</h2>
      <Breadcrumb
        label="You are here"
        crumbs={[{ label: 'Home', href: '#' }, { label: 'Deals', href: '#deals' }, { label: 'Moonlight fondue' }]}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="primary" size="lg">
          Pay &amp; Promote
        </Button>
        <Button
          variant="primary"
          onClick={() => toast.show({ text: 'Added to My Favorites', action: { label: 'Undo', onClick: toast.close } })}
        >
          Show toast
        </Button>
        <Button onClick={() => ask(true)}>Open dialog</Button>
        <ButtonLink href="#x" variant="quiet">
          Quiet link
        </ButtonLink>
        <Button variant="danger">Cancel Subscription</Button>
        <Button variant="primary" loading loadingText="Saving...">
          Save
        </Button>
        <Button disabled>Disabled</Button>
      </div>
      <div className="grid gap-8 md:grid-cols-2">
        <form className="grid content-start gap-5" aria-label="Create deal">
          <TextField label="Deal Name" defaultValue="Moonlight fondue" help="Up to 80 characters." />
          <TextField label="Price" hint="optional" before="CHF" inputMode="decimal" defaultValue="12.50" />
          <TextField
            label="Email"
            type="email"
            defaultValue="cafe@"
            error="Please write a whole email address."
            help="We only write about your deals."
          />
          <PasswordField
            label="Password"
            showLabel="Show password"
            defaultValue="geheim"
            autoComplete="current-password"
          />
          <Select label="Category" defaultValue="food">
            <option value="food">Food &amp; Dining</option>
            <option value="other">Other</option>
          </Select>
          <TextArea
            label="Description"
            defaultValue={'Cheese, bread, and the lights of the Mittlere Brücke.\nBring a jacket.'}
          />
          <fieldset>
            <legend className="text-sm font-semibold">Plan</legend>
            <Radio name="plan" label="Premium (CHF 49 / month)" defaultChecked />
            <Radio name="plan" label="Ultimate (CHF 99 / month)" />
          </fieldset>
          <Checkbox label="Open Now" defaultChecked />
          <Checkbox label="I accept the terms" error="Please accept the terms first." />
          <RatingInput
            legend="Your rating"
            name="stars"
            labels={['1 star', '2 stars', '3 stars', '4 stars', '5 stars']}
            value={stars}
            onChange={setStars}
          />
          <Button variant="primary" wide type="button">
            Save Deal
          </Button>
        </form>
        <div className="grid content-start gap-5">
          <Notice title="Programme changed">The 22:45 concert moved to Münsterplatz.</Notice>
          <Notice kind="success">Profile saved.</Notice>
          <Notice kind="warn">Your plan ends in 3 days.</Notice>
          <Notice kind="error" action={<Button>Try again</Button>}>
            The deals could not be loaded.
          </Notice>
          <Notice kind="offline">You are offline. Shown as of 21:40, 12 minutes ago.</Notice>
          <div className="flex flex-wrap gap-4">
            <OpenState state="live">Now</OpenState>
            <OpenState state="open">Open until 02:00</OpenState>
            <OpenState state="soon">Closes soon</OpenState>
            <OpenState state="closed">Opens 11:00</OpenState>
            <OpenState state="unknown">Hours unknown</OpenState>
          </div>
          <Price size="lg" was="CHF 39.–" wasLabel="instead of">
            CHF 24.50
          </Price>
          <Segments
            label="View"
            segments={[
              {
                key: 'l',
                href: '#l',
                label: (
                  <>
                    <List aria-hidden="true" className="size-5" />
                    List
                  </>
                ),
                current: true,
              },
              {
                key: 'm',
                href: '#m',
                label: (
                  <>
                    <Map aria-hidden="true" className="size-5" />
                    Map
                  </>
                ),
                current: false,
              },
            ]}
          />
          <Segments
            label="Day"
            segments={['Fri 22', 'Sat 23', 'Sun 24'].map((label, i) => ({
              key: label,
              href: '#d',
              label,
              current: i === 1,
            }))}
          />
          <Tabs
            label="Dashboard"
            segments={['Deals', 'Statistics', 'Subscription'].map((label, i) => ({
              key: label,
              href: '#d',
              label,
              current: i === 0,
            }))}
          />
          <Card>
            <h3>A plain card</h3>
            <p className="text-ink-soft">Ink rule, no shadow.</p>
          </Card>
          <EmptyState
            title="No deals yet"
            level="h3"
            action={
              <ButtonLink href="#new" variant="primary">
                Create Deal
              </ButtonLink>
            }
          >
            Your first deal is on the map a minute after you save it.
          </EmptyState>
          <div className="relative h-48 overflow-hidden rounded-6 border-2">
            <LoadingOverlay inside text="Initializing Map..." />
          </div>
        </div>
      </div>
      <Pagination label="Pages" page={4} pages={9} hrefFor={(n) => `?page=${n}`} previous="Previous" next="Next" />
      <div className="grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
        <CardSkeletons count={4} label="Loading..." />
      </div>
      <Dialog
        open={asking}
        onClose={() => ask(false)}
        title="Cancel your subscription?"
        closeLabel="Close"
        actions={
          <>
            <Button variant="danger" onClick={() => ask(false)}>
              Cancel Subscription
            </Button>
            <Button onClick={() => ask(false)}>Keep it</Button>
          </>
        }
      >
        <p>You keep Premium until 30 November. After that your deals stay, without the star.</p>
      </Dialog>
      <Toast note={toast.note} closeLabel="Close" onClose={toast.close} />
    </section>
  )
}
