// A thread that computes for as long as a task's header says, ends at once, or never answers.
import { parentPort } from 'node:worker_threads';

function busy(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

parentPort.on('message', (message) => {
  if (message === 'end') {
    parentPort.close();
    return;
  }
  const what = message.task.headers['x-do'] ?? '0';
  if (what === 'die') throw new Error('out of order');
  busy(what === 'hang' ? 60_000 : Number(what));
  const usage = { trips: 1, readUnits: 0, writeUnits: 0 };
  parentPort.postMessage({ id: message.id, outcome: { usage, reply: { status: 200, body: '{}' } } });
});
