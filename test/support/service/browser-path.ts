import { existsSync } from 'node:fs';

/** Where distributions keep Chromium. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser that tests drive; undefined where none is installed. */
export const CHROMIUM = PLACES.find((path) => existsSync(path));
