// Imported before everything by each process of a test run.
import { register } from 'node:module';

register('./resolve.js', import.meta.url);
