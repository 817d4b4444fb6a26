import { putClockToSaturdayEvening } from '../saturday-evening.ts'

// before each file, so that the length of a run does not matter either
putClockToSaturdayEvening()
