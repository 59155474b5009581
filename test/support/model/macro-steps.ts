import { change, GONE, nameFaults, nth, type Plan, write } from './model-plan.ts';
import { type ActionModel, MACROS, type MacroModel, showAction, showMacro } from './site-model.ts';

export const createMacro: Plan = (model, { as, name, flag, brands }) => {
  const folders = brands.map((brand) => `folder ${brand}`);
  const body = { name, enabled: flag, folders };
  return write({ method: 'POST', target: MACROS, body, as }, true, nameFaults(name), () => {
    model.lastId += 1;
    const position = (model.macros.at(-1)?.position ?? 0) + 1;
    const macro: MacroModel = { id: model.lastId, position, name, enabled: flag, folders, actions: [] };
    model.macros.push(macro);
    return { status: 201, body: showMacro(macro) };
  });
};

export const updateMacro: Plan = (model, { as, which, name, flag }) => {
  const macro = nth(model.macros, which);
  const request = { method: 'PATCH', target: `${MACROS}/${macro?.id ?? 0}`, body: { name, enabled: flag }, as };
  return write(request, macro !== undefined, nameFaults(name), () => {
    change(macro!, { name, enabled: flag });
    return { status: 200, body: showMacro(macro!) };
  });
};

export const deleteMacro: Plan = (model, { as, which }) => {
  const macro = nth(model.macros, which);
  return write({ method: 'DELETE', target: `${MACROS}/${macro?.id ?? 0}`, as }, macro !== undefined, {}, () => {
    model.macros = model.macros.filter((other) => other !== macro);
    return GONE;
  });
};

const statusFaults = (status: string) => (status === 'sleeping' ? { value: ['invalid'] } : {});

export const addAction: Plan = (model, { as, which, status }, now) => {
  const macro = nth(model.macros, which);
  const body = { type: 'set-case-status', value: status };
  const request = { method: 'POST', target: `${MACROS}/${macro?.id ?? 0}/actions`, body, as };
  return write(request, macro !== undefined, statusFaults(status), () => {
    model.lastId += 1;
    const times = { created_at: now, updated_at: now };
    const action: ActionModel = { id: model.lastId, value: status, enabled: true, ...times };
    macro!.actions.push(action);
    return { status: 201, body: showAction(macro!, action) };
  });
};

export const updateAction: Plan = (model, { as, which, inner, status, flag }, now) => {
  const macro = nth(model.macros, which);
  const action = nth(macro?.actions ?? [], inner);
  const target = `${MACROS}/${macro?.id ?? 0}/actions/${action?.id ?? 0}`;
  const request = { method: 'PATCH', target, body: { value: status, enabled: flag }, as };
  return write(request, action !== undefined, statusFaults(status), () => {
    if (change(action!, { value: status, enabled: flag })) action!.updated_at = now;
    return { status: 200, body: showAction(macro!, action!) };
  });
};

export const deleteAction: Plan = (model, { as, which, inner }) => {
  const macro = nth(model.macros, which);
  const action = nth(macro?.actions ?? [], inner);
  const request = { method: 'DELETE', target: `${MACROS}/${macro?.id ?? 0}/actions/${action?.id ?? 0}`, as };
  return write(request, action !== undefined, {}, () => {
    macro!.actions = macro!.actions.filter((other) => other !== action);
    return GONE;
  });
};
