import { createRunner } from 'jest-light-runner';
import Tinypool from 'tinypool';

/**
 * The channel of one task. jest-light-runner 0.8 gives all tasks one channel, and sends a worker's settings to every worker
 * when the first of them asks: one that does not listen yet misses them, and then waits for ever, and the run with it. So
 * a worker is entered only when it asks.
 */
const ownChannel = (shared) => {
  let answer;
  return {
    onMessage: (listener) => {
      answer = listener;
    },
    postMessage: (message) => {
      shared.onMessage(answer);
      shared.postMessage(message);
    },
  };
};

const { run } = Tinypool.prototype;
Tinypool.prototype.run = function (task, options) {
  return run.call(this, task, options?.channel ? { ...options, channel: ownChannel(options.channel) } : options);
};

/** Runs test files in processes, each of them many, so that a file loads only what none before it has. */
export default createRunner({ runtime: 'child_process' });
