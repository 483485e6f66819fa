# This file is part of Selvedge, a symbolic execution engine for C programs.
#
# SPDX-FileCopyrightText: The Selvedge authors
#
# SPDX-License-Identifier: MIT OR Apache-2.0

"""BenchExec tool-info module: copy it into benchexec/tools/, or put its folder on PYTHONPATH."""

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Selvedge finds the input and the thread schedule that break a program, or shows that none exists."""

    RESULTS = {
        "TRUE": result.RESULT_TRUE_PROP,
        "FALSE(unreach-call)": result.RESULT_FALSE_REACH,
        "FALSE(no-data-race)": result.RESULT_FALSE_DATARACE,
        "FALSE(no-deadlock)": result.RESULT_FALSE_DEADLOCK,
        "FALSE(no-overflow)": result.RESULT_FALSE_OVERFLOW,
        "FALSE(valid-deref)": result.RESULT_FALSE_DEREF,
        "FALSE(valid-free)": result.RESULT_FALSE_FREE,
        "FALSE(valid-memtrack)": result.RESULT_FALSE_MEMTRACK,
        "FALSE(valid-memcleanup)": result.RESULT_FALSE_MEMCLEANUP,
        "UNKNOWN": result.RESULT_UNKNOWN,
    }

    DATA_MODELS = {"ILP32": "-m32", "LP64": "-m64"}

    def name(self):
        return "Selvedge"

    def project_url(self):
        return ""

    def executable(self, tool_locator):
        return tool_locator.find_executable("selvedge", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="selvedge")

    def cmdline(self, executable, options, task, rlimits):
        cmd = [executable, "check", "--svcomp", "--progress", "none", *options]
        if task.property_file and "--property" not in options:
            cmd += ["--property", task.property_file]
        if rlimits.cputime and "--timeout" not in options:
            # The search has one thread: a little less wall-clock time leaves room for the report.
            cmd += ["--timeout", str(max(1, int(rlimits.cputime * 0.95)))]
        if rlimits.memory and "--memory" not in options:
            cmd += ["--memory", str(max(1, int(rlimits.memory * 0.9) // (1024 * 1024)))]
        cmd += [*task.input_files]
        data_model = (task.options or {}).get("data_model")
        if data_model:
            if data_model not in self.DATA_MODELS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"data model {data_model} is not supported"
                )
            cmd += ["--", self.DATA_MODELS[data_model]]
        return cmd

    def determine_result(self, run):
        for line in reversed(run.output):
            line = line.strip()
            if line:
                answer = self.RESULTS.get(line)
                break
        else:
            answer = None
        # 0 safe, 1 bug, 3 unknown; the rest is no answer whatever was printed.
        if run.exit_code.value not in (0, 1, 3):
            return result.RESULT_ERROR
        return answer or result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in reversed(output):
            if line.startswith(identifier + ":"):
                return line.split(":", maxsplit=1)[1].strip()
        return None
