/**
 * What must be true of an item for a write to happen. Conditions are plain data; only this file makes expressions of
 * them.
 */
export type Condition =
  | { readonly absent: true }
  | { readonly present: true }
  | { readonly lacks: string } // a stored item without this attribute
  | { readonly attribute: string; readonly equals: string | number }
  | { readonly attribute: string; readonly atMost: number }
  | { readonly anyOf: readonly Condition[] };

export interface Expression {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, string | number>;
}

/** The request fields that make DynamoDB check a condition; empty for no condition. */
export function toExpression(condition: Condition | undefined): Expression | Record<string, never> {
  if (condition === undefined) return {};
  const names: Record<string, string> = {};
  const values: Record<string, string | number> = {};
  const text = render(condition, names, values);
  return {
    ConditionExpression: text,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function render(condition: Condition, names: Record<string, string>, values: Record<string, string | number>): string {
  if ('anyOf' in condition) return condition.anyOf.map((part) => `(${render(part, names, values)})`).join(' OR ');
  const name = `#${Object.keys(names).length}`;
  if ('attribute' in condition) {
    const value = `:${Object.keys(values).length}`;
    names[name] = condition.attribute;
    values[value] = 'equals' in condition ? condition.equals : condition.atMost;
    return `${name} ${'equals' in condition ? '=' : '<='} ${value}`;
  }
  names[name] = 'pk';
  if ('lacks' in condition) {
    names[`${name}l`] = condition.lacks;
    return `attribute_exists(${name}) AND attribute_not_exists(${name}l)`;
  }
  return 'absent' in condition ? `attribute_not_exists(${name})` : `attribute_exists(${name})`;
}
