import { standingStories } from '../engines/stories.ts'

standingStories('firefox', 'evening')
