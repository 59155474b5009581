import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import { addressOf, type Deployment } from './context.ts';

/** Percentages of the budget that send a mail: of the actual and of the forecast cost of the month. */
const NOTIFICATIONS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/** A budget for the monthly cost of the tag `stage`, if the context gives one. The tag must be active for billing. */
export function createBudget(scope: Construct, deployment: Deployment): void {
  const { stage, monthlyBudget } = deployment;
  const alarmEmail = addressOf(deployment);
  if (monthlyBudget === undefined || alarmEmail === undefined) return;
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:stage$${stage}`] },
    },
    notificationsWithSubscribers: NOTIFICATIONS.map((when) => ({
      notification: { ...when, comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
}
