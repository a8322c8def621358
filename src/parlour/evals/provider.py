"""Models that need no network: a player of Parlour answers, or what is said stands in a list.

``--model parlour/level:3`` answers as that player, any that ``parlour play --p2`` knows; ``parlour/says`` gives the
answers of a list, again and again. They see the game as a record that a question carries beside its text, where no
other model sees it.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, ModelUsage, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from parlour.errors import ParlourError
from parlour.evals.disguise import make_disguise
from parlour.players import find_player
from parlour.record import read_record

SAYS = "says"


class PlayerModel(ModelAPI):
    """Answers the questions of these tasks, and no others."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        answers: list[str] | str = "",
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._answers = [answers] if isinstance(answers, str) else answers
        self._given = 0
        try:
            self._player = None if model_name == SAYS else find_player(model_name)
        except ParlourError as error:
            raise one_line(error) from None

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        text = self._say(input[-1].metadata or {})
        output = ModelOutput.from_content(self.model_name, text)
        output.usage = ModelUsage()  # otherwise somebody fetches a tokenizer to count them
        return output

    def _say(self, question: dict[str, Any]) -> str:
        if self._player is None:
            self._given += 1
            return self._answers[(self._given - 1) % len(self._answers)]
        match = read_record(question["record"])
        move = self._player.choose(match, match.setup.random("model", len(match.round.moves), self.model_name))
        disguise = make_disguise(question["disguise"], match.rules, question["seed"])
        return f"MOVE: {disguise.write(match.rules.spoken([move])[0])}"


def one_line(error: ParlourError) -> Exception:
    """An error that Inspect shows as one line."""
    from inspect_ai._util.error import PrerequisiteError  # it has no other name

    return PrerequisiteError(str(error))


@modelapi(name="parlour")
def parlour_models() -> type[ModelAPI]:
    """The provider, as Inspect finds it."""
    return PlayerModel
