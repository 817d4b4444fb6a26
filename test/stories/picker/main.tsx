import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { IntlProvider } from 'use-intl'
import messages from '../../../messages/en.json'
import { plainConfig } from '../../../src/map/web/basemap.ts'
import { LocationPicker } from '../../../src/map/web/LocationPicker.tsx'
import type { TypedPlace } from '../../../src/map/web/typed-place.ts'
import './picker.css'

const config = plainConfig({ latitude: 47.5596, longitude: 7.5886 })

/** The form of a merchant, with the values that it would send below. */
function Page() {
  const [place, setPlace] = useState<TypedPlace>({ latitude: '', longitude: '' })
  return (
    <IntlProvider locale="en" messages={messages} timeZone="Europe/Zurich">
      <main className="shell grid gap-4 py-8">
        <h1>Edit Business Profile</h1>
        <h2>Location</h2>
        <LocationPicker config={config} chosenTheme="paper" value={place} onChange={setPlace} />
        <output data-place>{JSON.stringify(place)}</output>
      </main>
    </IntlProvider>
  )
}

createRoot(document.getElementById('page')!).render(<Page />)
