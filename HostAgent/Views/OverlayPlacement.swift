import Desktop
import DictationSettings

extension OverlayPlace {
    /// The place and size from the settings.
    init(position: OverlayPosition, size: OverlaySize) {
        let (horizontal, vertical): (Side, Side) =
            switch position {
            case .top: (.middle, .start)
            case .topLeft: (.start, .start)
            case .topRight: (.end, .start)
            case .bottom: (.middle, .end)
            case .bottomLeft: (.start, .end)
            case .bottomRight: (.end, .end)
            case .center: (.middle, .middle)
            }
        let factor =
            switch size {
            case .small: 0.8
            case .medium: 1.0
            case .large: 1.4
            }
        self.init(horizontal: horizontal, vertical: vertical, factor: factor)
    }
}
