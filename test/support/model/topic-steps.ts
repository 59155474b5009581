import { change, GONE, nameFaults, nth, type Plan, write } from './model-plan.ts';
import { DEFAULT_LOCALE, showPage, showTopic, showTranslation, TOPICS, type TopicModel } from './site-model.ts';

const LOCALES = [DEFAULT_LOCALE, 'de', 'ja'];

const normal = (locale: string): string => locale.toLowerCase().replace('-', '_');

export const createTopic: Plan = (model, { as, name, description, flag, brands }, now) => {
  const body = { name, description, in_support_center: flag, brand_ids: brands };
  return write({ method: 'POST', target: TOPICS, body, as }, true, nameFaults(name), () => {
    const times = { created_at: now, updated_at: now };
    model.lastId += 1;
    const topic: TopicModel = {
      id: model.lastId,
      allow_questions: true,
      in_support_center: flag,
      brands: brands.toSorted(),
      ...times,
      translations: { [DEFAULT_LOCALE]: { name, description, ...times } },
    };
    model.topics.push(topic);
    return { status: 201, body: showTopic(model, topic) };
  });
};

export const updateTopic: Plan = (model, { as, which, name, flag, brands, inner }, now) => {
  const topic = nth(model.topics, which);
  const replace = inner % 2 === 0;
  const body = { name, allow_questions: flag, brand_ids: brands, ...(replace ? { brand_action: 'replace' } : {}) };
  const target = `${TOPICS}/${topic?.id ?? model.lastId + 1}`;
  return write({ method: 'PATCH', target, body, as }, topic !== undefined, nameFaults(name), () => {
    const wording = topic!.translations[DEFAULT_LOCALE]!;
    const renamed = change(wording, { name });
    if (renamed) wording.updated_at = now;
    const after = [...new Set([...(replace ? [] : topic!.brands), ...brands])].sort();
    const rebranded = after.join() !== topic!.brands.join();
    topic!.brands = after;
    if (change(topic!, { allow_questions: flag }) || rebranded || renamed) topic!.updated_at = now;
    return { status: 200, body: showTopic(model, topic!) };
  });
};

export const deleteTopic: Plan = (model, { as, which }) => {
  const topic = nth(model.topics, which);
  const request = { method: 'DELETE', target: `${TOPICS}/${topic?.id ?? 'none'}`, as };
  return write(request, topic !== undefined, {}, () => {
    model.topics = model.topics.filter((other) => other !== topic);
    return GONE;
  });
};

export const addTranslation: Plan = (model, { as, which, name, description, locale: sent }, now) => {
  const topic = nth(model.topics, which);
  const locale = normal(sent);
  const faults = {
    ...nameFaults(name),
    ...(!LOCALES.includes(locale) ? { locale: ['invalid'] } : topic?.translations[locale] ? { locale: ['taken'] } : {}),
  };
  const target = `${TOPICS}/${topic?.id ?? 0}/translations`;
  return write(
    { method: 'POST', target, body: { name, description, locale: sent }, as },
    topic !== undefined,
    faults,
    () => {
      topic!.translations[locale] = { name, description, created_at: now, updated_at: now };
      return { status: 201, body: showTranslation(topic!, locale) };
    },
  );
};

export const updateTranslation: Plan = (model, { as, which, name, description, locale: sent }, now) => {
  const topic = nth(model.topics, which);
  const locale = normal(sent);
  const wording = topic?.translations[locale];
  const target = `${TOPICS}/${topic?.id ?? 0}/translations/${sent}`;
  const request = { method: 'PATCH', target, body: { name, description, locale }, as };
  return write(request, wording !== undefined, nameFaults(name), () => {
    if (change(wording!, { name, description })) {
      wording!.updated_at = now;
      if (locale === DEFAULT_LOCALE) topic!.updated_at = now;
    }
    return { status: 200, body: showTranslation(topic!, locale) };
  });
};

export const deleteTranslation: Plan = (model, { as, which, locale: sent }) => {
  const topic = nth(model.topics, which);
  const locale = normal(sent);
  const faults = locale === DEFAULT_LOCALE ? { locale: ['invalid'] } : {};
  const request = { method: 'DELETE', target: `${TOPICS}/${topic?.id ?? 0}/translations/${sent}`, as };
  return write(request, topic?.translations[locale] !== undefined, faults, () => {
    delete topic!.translations[locale];
    return GONE;
  });
};

export const listTopics: Plan = (model, { as, which, locale }) => {
  const inLocale = LOCALES.includes(normal(locale)) ? normal(locale) : 'none';
  const shown = model.topics.filter(({ translations }) => translations[inLocale]);
  const perPage = 1 + (which % 4);
  const entries = shown.map((topic) => showTopic(model, topic, inLocale));
  const body = showPage(TOPICS, entries, perPage);
  const target = `${TOPICS}?per_page=${perPage}`;
  return { method: 'GET', target, as, language: locale, expected: { status: 200, body } };
};
