import { expect, it } from 'vitest'
import { isWithinHours } from './deal-when.ts'

const at = (weekday: number, hour: number, minute = 0) => ({ weekday, minute: hour * 60 + minute })
const [monday, friday, saturday, sunday] = [1, 5, 6, 7] as const

it('a deal without days and hours is valid at all times', () => {
  expect(isWithinHours({ active_days: null, start_time: null, end_time: null }, at(sunday, 3))).toBe(true)
})

it('hours end with the minute they name', () => {
  const happyHour = { active_days: null, start_time: '17:00', end_time: '19:00' }
  expect(isWithinHours(happyHour, at(monday, 17))).toBe(true)
  expect(isWithinHours(happyHour, at(monday, 18, 59))).toBe(true)
  expect(isWithinHours(happyHour, at(monday, 19))).toBe(false)
})

it('hours past midnight belong to the day on which they began', () => {
  const fridayNight = { active_days: [friday], start_time: '22:00', end_time: '02:00' }
  expect(isWithinHours(fridayNight, at(friday, 23))).toBe(true)
  expect(isWithinHours(fridayNight, at(saturday, 1, 30))).toBe(true)
  expect(isWithinHours(fridayNight, at(saturday, 23))).toBe(false)
  expect(isWithinHours(fridayNight, at(friday, 1))).toBe(false)
  expect(isWithinHours({ ...fridayNight, active_days: [sunday] }, at(monday, 1))).toBe(true)
})
