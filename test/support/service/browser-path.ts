import { existsSync } from 'node:fs';

/** The usual paths of Chromium. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of the browser for tests; undefined if none is installed. */
export const CHROMIUM = PLACES.find((path) => existsSync(path));

/** The path of LibreOffice, which opens a workbook in the tests of the console; undefined if it is not installed. */
export const LIBREOFFICE = ['/usr/bin/soffice', '/usr/bin/libreoffice'].find((path) => existsSync(path));
