/** A file that the console's pages load, with a name that changes with its content. */
export interface BuiltFile {
  readonly type: string; // its Content-Type
  readonly body: string;
}

/** The console as it is built: its pages and the files that they load (infra/console/build.ts). */
export interface Built {
  readonly page: string; // HTML of every page under /console; `{{prefix}}` stands for what goes before paths
  readonly docs: string; // HTML of /docs, likewise
  readonly files: Readonly<Record<string, BuiltFile>>; // by name under /console/files/
}

/** What stands in the built pages for how files are sent: `form`, to a place of their own, or `body`. */
export const UPLOADS = '{{uploads}}';

/** What stands in the built pages for the stage of API Gateway, which is empty on a laptop. */
export const CONSOLE_PREFIX = '{{prefix}}';
