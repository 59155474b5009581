// A thread that answers at once, dies, or hangs, as a task's header says.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', (message) => {
  if (message === 'end') {
    parentPort.close();
    return;
  }
  const what = message.task.headers['x-do'];
  if (what === 'die') throw new Error('out of order');
  while (what === 'hang');
  const usage = { trips: 1, readUnits: 0, writeUnits: 0 };
  parentPort.postMessage({ id: message.id, outcome: { usage, reply: { status: 200, body: '{}' } } });
});
