import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Deployment } from './context.ts';

/** Percent of the budget at which somebody is told: of what was spent, and of what the month is expected to cost. */
const TELL = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** A budget for what the tag `stage` costs a month, where the context names one. The tag must be active for billing. */
export function createBudget(scope: Construct, { stage, monthlyBudget, alarmEmail }: Deployment): void {
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: TELL.map((when) => ({
      notification: { ...when, comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
}
