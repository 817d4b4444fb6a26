import { expect, it } from 'vitest'
import { get } from '../people.ts'
import { aModerator } from '../staff.ts'
import { saturdayEvening } from '../saturday-evening.ts'
import { expectAccessible, expectNoSidewaysScroll, hydrated, inBrowser, phone, useBrowser } from './browser.ts'

inBrowser('staff and lists of merchants', () => {
  const at = useBrowser({ demo: true, now: saturdayEvening })

  it('import a list on a phone after a look at the numbers, and find how to undo it', async () => {
    const token = await aModerator(at.app, 'lists@example.org')
    const { page, context, faults } = await at.visit('/terms', { viewport: phone })
    await context.addInitScript(
      `localStorage.setItem('authToken', ${JSON.stringify(token)}); localStorage.setItem('userType', 'moderator')`,
    )
    await page.goto('/admin')
    await hydrated(page)
    await page.getByRole('main').getByRole('link', { name: 'Merchants', exact: true }).last().click()
    await page.getByRole('heading', { name: 'Import merchants' }).waitFor()
    const rows = [
      'Firma;PLZ;Ort;Breite;Länge;Farbe',
      'Zum Floss;4058;Basel;47,56;7,59;rot',
      'Fernbar;8004;Zürich;47,37;8,54;',
      ';4058;Basel;;;',
    ]
    await page
      .getByLabel('File (Excel, CSV, GeoJSON)')
      .setInputFiles({ name: 'betriebe.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByText('3 read, 2 new, 0 changed, 0 unchanged, 1 not understood').waitFor()
    await page.getByText('Not imported: line 4: has no name').waitFor()
    await page.getByText('Not read: Farbe.').waitFor()
    const importButton = page.getByRole('button', { name: 'Import', exact: true })
    expect(await importButton.isDisabled()).toBe(true)
    await page.getByText(/^1 of 2 places are about 7\d km from the festival\. Is that right\?$/).waitFor()
    await page.getByLabel('Yes, import them').check()
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await importButton.click()
    await page.getByText('To undo this import, open the log.').waitFor()
    expect((await get(at.app, '/api/business?q=floss')).body).toHaveLength(1)
    await page.getByRole('link', { name: 'Open the log' }).click()
    const entry = page.getByRole('listitem').filter({ hasText: 'Mo imported' }).filter({ hasText: 'betriebe.csv' })
    await entry.getByRole('button', { name: /^Undo/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 merchants disappear.').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: betriebe.csv').waitFor()
    expect((await get(at.app, '/api/business?q=floss')).body).toHaveLength(0)
    expect(faults).toEqual([])
  })
})
