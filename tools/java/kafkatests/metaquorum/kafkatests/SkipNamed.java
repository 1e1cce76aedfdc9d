package metaquorum.kafkatests;

import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.UniqueId;

/** Leaves out the tests that the run was told to leave out, before a cluster starts for them. */
public final class SkipNamed implements ExecutionCondition {
    static final TestNames NAMES = new TestNames();
    static volatile Set<String> skipped = Set.of();

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            return ConditionEvaluationResult.enabled("a class");
        }
        String name = NAMES.of(UniqueId.parse(context.getUniqueId()), context.getDisplayName());
        return skipped.contains(name)
            ? ConditionEvaluationResult.disabled("left out by name")
            : ConditionEvaluationResult.enabled("not left out");
    }
}
