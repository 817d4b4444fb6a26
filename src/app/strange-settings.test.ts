import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { strangeSettings } from './strange-settings.ts'

function envFile(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rheinklang-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, '.env'), text)
  return join(folder, '.env')
}
const none = '/nowhere/.env'

it('mistyped settings are reported, with the setting that was probably meant', () => {
  expect(strangeSettings({ SMPT_URL: 'smtp://x', PUBLIC_URI: 'https://x', DEMODATA: 'off' }, none)).toEqual([
    'SMPT_URL is not a setting and has no effect. Did you mean SMTP_URL?',
    'PUBLIC_URI is not a setting and has no effect. Did you mean PUBLIC_URL?',
    'DEMODATA is not a setting and has no effect. Did you mean DEMO_DATA?',
  ])
})

it('variables of other programs are not reported, nor names similar to a setting that is set', () => {
  const foreign = { PATH: '/bin', HOME: '/root', LOGNAME: 'me', LANGUAGE: 'de', NODE_ENV: 'test', HOSTNAME: 'basel' }
  expect(strangeSettings({ ...foreign, SMTP_URL: 'smtp://x', SMTP_URLS: 'x', npm_config_cache: 'x' }, none)).toEqual([])
})

it('every unknown name in the settings file is reported', () => {
  const file = envFile('PUBLIC_URL=https://x\nCOLOUR=red\nTEST_DATABASE_URL=postgres://x\nSECRETKEY=x\n')
  expect(strangeSettings({ PUBLIC_URL: 'https://x', COLOUR: 'red', SECRETKEY: 'x' }, file)).toEqual([
    'COLOUR is not a setting and has no effect.',
    'SECRETKEY is not a setting and has no effect. Did you mean SECRET_KEY?',
  ])
})
