import { standingStories } from '../engines/stories.ts'

standingStories('chromium', 'evening')
