import * as fc from 'fast-check';
import * as macroSteps from './macro-steps.ts';
import { chances, type Plan } from './model-plan.ts';
import {
  type Exchange,
  MACROS,
  type SiteModel,
  showAction,
  showMacro,
  showPage,
  showTopic,
  showTranslation,
  TOPICS,
} from './site-model.ts';
import * as topicSteps from './topic-steps.ts';

const PLANS: Readonly<Record<string, Plan>> = { ...topicSteps, ...macroSteps };

const CREATES = ['createTopic', 'addTranslation', 'createMacro', 'addAction']; // twice as often as other steps

/** One random step of a client. */
export const modelStep = fc.record({ kind: fc.constantFrom(...CREATES, ...Object.keys(PLANS)), chances });
export type ModelStep = typeof modelStep extends fc.Arbitrary<infer S> ? S : never;

/** Takes a step in the model; returns the request to send and the reply to expect. */
export const takeStep = (model: SiteModel, { kind, chances }: ModelStep, now: number): Exchange =>
  PLANS[kind]!(model, chances, now);

/** The expected replies of all lists of a site, by path. */
export function allLists(model: SiteModel): ReadonlyMap<string, unknown> {
  const { topics, macros } = model;
  const page = (path: string, entries: readonly unknown[]) => [path, showPage(path, entries, 50)] as const;
  return new Map([
    page(
      TOPICS,
      topics.map((topic) => showTopic(model, topic)),
    ),
    ...topics.map((topic) =>
      page(
        `${TOPICS}/${topic.id}/translations`,
        Object.keys(topic.translations)
          .sort()
          .map((locale) => showTranslation(topic, locale)),
      ),
    ),
    page(MACROS, macros.map(showMacro)),
    ...macros.map((macro) =>
      page(
        `${MACROS}/${macro.id}/actions`,
        macro.actions.map((action) => showAction(macro, action)),
      ),
    ),
  ]);
}
