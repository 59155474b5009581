// A thread that answers at once, dies, hangs, or will take its time to end, as a task's header says.
import { parentPort } from 'node:worker_threads';

let isSlow = false;

parentPort.on('message', (message) => {
  if (message === 'end') {
    if (isSlow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    if (isSlow) parentPort.postMessage({ level: 'info', message: 'ended by itself' });
    parentPort.close();
    return;
  }
  const what = message.task.headers['x-do'];
  if (what === 'die') throw new Error('out of order');
  while (what === 'hang');
  isSlow = what === 'end slowly';
  const usage = { trips: 1, readUnits: 0, writeUnits: 0 };
  parentPort.postMessage({ id: message.id, outcome: { usage, reply: { status: 200, body: '{}' } } });
});
